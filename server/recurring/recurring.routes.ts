import type { FastifyInstance } from 'fastify';

import * as endpoints from '../../domain/recurring/recurring.endpoints.ts';
import type { Context } from '../context.ts';
import { languageOf, route } from '../platform/http/route.ts';
import { previewAssignment } from './assignment-preview.service.ts';
import * as assignments from './assignment.service.ts';
import { listRuns, runNow } from './due-runs.service.ts';

/** Standing assignments and their runs. */
export function recurringRoutes(app: FastifyInstance, context: Context): void {
  route(app, endpoints.listAssignments, async ({ actor, query }, { request }) =>
    assignments.listAssignments(context, actor, query.customerNumber ?? null, languageOf(request)),
  );
  route(app, endpoints.createAssignment, async ({ actor, body }, { request }) =>
    assignments.createAssignment(context, actor, body, languageOf(request)),
  );
  route(app, endpoints.previewAssignment, async ({ actor, body }) =>
    previewAssignment(context, actor, body),
  );
  route(app, endpoints.getAssignment, async ({ actor, params }, { request }) =>
    assignments.getAssignment(context, actor, params.assignmentUuid, languageOf(request)),
  );
  route(app, endpoints.updateAssignment, async ({ actor, params, body }, { request }) =>
    assignments.updateAssignment(context, actor, params.assignmentUuid, body, languageOf(request)),
  );
  route(app, endpoints.deleteAssignment, async ({ actor, params }) => {
    await assignments.deleteAssignment(context, actor, params.assignmentUuid);
    return undefined;
  });
  route(app, endpoints.pauseAssignment, async ({ actor, params }, { request }) =>
    assignments.pauseAssignment(context, actor, params.assignmentUuid, languageOf(request)),
  );
  route(app, endpoints.resumeAssignment, async ({ actor, params }, { request }) =>
    assignments.resumeAssignment(context, actor, params.assignmentUuid, languageOf(request)),
  );
  route(app, endpoints.runAssignment, async ({ actor, params }, { request }) =>
    runNow(context, actor, params.assignmentUuid, languageOf(request)),
  );
  route(app, endpoints.listAssignmentRuns, async ({ actor, params, query }, { request }) =>
    listRuns(
      context,
      actor,
      { uuid: params.assignmentUuid, page: query.page },
      languageOf(request),
    ),
  );
}
