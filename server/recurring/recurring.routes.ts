import type { FastifyInstance } from 'fastify';

import {
  createAssignment,
  deleteAssignment,
  getAssignment,
  listAssignmentRuns,
  listAssignments,
  pauseAssignment,
  previewAssignment,
  resumeAssignment,
  runAssignment,
  updateAssignment,
} from '../../domain/recurring/recurring.endpoints.ts';
import type { Context } from '../context.ts';
import { languageOf } from '../platform/http/error-answers.ts';
import { route } from '../platform/http/route.ts';
import { presentAssignment, presentRun } from './assignment.presenter.ts';
import * as assignments from './assignment.service.ts';
import { listRuns, runNow } from './recurring.service.ts';

/** Standing assignments. */
export function recurringRoutes(app: FastifyInstance, context: Context): void {
  route(app, listAssignments, async ({ actor, query }, { request }) => {
    const rows = await assignments.listAssignments(context, actor, query.customerNumber ?? null);
    return rows.map((row) => presentAssignment(row, languageOf(request)));
  });
  route(app, createAssignment, async ({ actor, body }, { request }) => {
    const row = await assignments.createAssignment(context, actor, body);
    return presentAssignment(row, languageOf(request));
  });
  route(app, previewAssignment, async ({ actor, body }) =>
    assignments.previewAssignment(context, actor, body),
  );
  route(app, getAssignment, async ({ actor, params }, { request }) => {
    const { assignmentUuid: uuid } = params;
    const row = await assignments.requireWholeAssignment(context.db, actor.companyId, uuid);
    return presentAssignment(row, languageOf(request));
  });
  route(app, updateAssignment, async ({ actor, params, body }, { request }) => {
    const row = await assignments.updateAssignment(context, actor, params.assignmentUuid, body);
    return presentAssignment(row, languageOf(request));
  });
  route(app, deleteAssignment, async ({ actor, params }) => {
    await assignments.deleteAssignment(context, actor, params.assignmentUuid);
    return undefined;
  });
  route(app, pauseAssignment, async ({ actor, params }, { request }) => {
    const row = await assignments.pauseAssignment(context, actor, params.assignmentUuid);
    return presentAssignment(row, languageOf(request));
  });
  route(app, resumeAssignment, async ({ actor, params }, { request }) => {
    const row = await assignments.resumeAssignment(context, actor, params.assignmentUuid);
    return presentAssignment(row, languageOf(request));
  });
  runRoutes(app, context);
}

function runRoutes(app: FastifyInstance, context: Context): void {
  route(app, runAssignment, async ({ actor, params }, { request }) => {
    const run = await runNow(context, actor, params.assignmentUuid);
    return presentRun(run, languageOf(request));
  });
  route(app, listAssignmentRuns, async ({ actor, params, query }, { request }) => {
    const runs = await listRuns(context, actor, params.assignmentUuid, query.page);
    return runs.map((run) => presentRun(run, languageOf(request)));
  });
}
