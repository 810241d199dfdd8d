import { z } from 'zod/mini';

import { defineEndpoint, NO_FEATURES } from '../api/endpoint.ts';
import {
  assignment,
  assignmentBody,
  assignmentParams,
  assignmentPreview,
  assignmentRun,
  assignmentUpdateBody,
  assignmentsQuery,
  previewBody,
  runsQuery,
} from './recurring.schema.ts';

export const listAssignments = defineEndpoint({
  id: 'listAssignments',
  method: 'GET',
  path: '/api/invoices/recurring/',
  summary: 'Every standing assignment, or those of which a customer is a recipient, by name',
  permission: 'see',
  feature: 'recurring',
  query: assignmentsQuery,
  response: z.array(assignment),
});

export const createAssignment = defineEndpoint({
  id: 'createAssignment',
  method: 'POST',
  path: '/api/invoices/recurring/create/',
  summary: 'Make a standing assignment: invoices that are made again on their dates',
  // One that sends asks for 'issue' too.
  permission: 'edit',
  feature: 'recurring',
  body: assignmentBody(NO_FEATURES),
  bodyFor: assignmentBody,
  response: assignment,
  status: 201,
  errors: [409],
});

export const previewAssignment = defineEndpoint({
  id: 'previewAssignment',
  method: 'POST',
  path: '/api/invoices/recurring/preview/',
  summary: 'The next five periods of an assignment, and its text in the first; nothing is saved',
  whileClosed: true,
  permission: 'see',
  feature: 'recurring',
  body: previewBody,
  response: assignmentPreview,
  errors: [404],
});

export const getAssignment = defineEndpoint({
  id: 'getAssignment',
  method: 'GET',
  path: '/api/invoices/recurring/{assignmentUuid}/',
  summary: 'One standing assignment, with all the customers that it names',
  permission: 'see',
  feature: 'recurring',
  params: assignmentParams,
  response: assignment,
  errors: [404],
});

export const updateAssignment = defineEndpoint({
  id: 'updateAssignment',
  method: 'PUT',
  path: '/api/invoices/recurring/{assignmentUuid}/',
  summary:
    'Save a standing assignment. New dates begin after the last period that was made; 409 for ' +
    'another first_date after the first run, and while a run is under way',
  // One that sends asks for 'issue' too.
  permission: 'edit',
  feature: 'recurring',
  params: assignmentParams,
  body: assignmentUpdateBody(NO_FEATURES),
  bodyFor: assignmentUpdateBody,
  response: assignment,
  errors: [404, 409],
});

export const deleteAssignment = defineEndpoint({
  id: 'deleteAssignment',
  method: 'DELETE',
  path: '/api/invoices/recurring/{assignmentUuid}/',
  summary: 'Delete a standing assignment and its history of runs; the invoices stay',
  permission: 'edit',
  feature: 'recurring',
  params: assignmentParams,
  errors: [404, 409],
});

export const pauseAssignment = defineEndpoint({
  id: 'pauseAssignment',
  method: 'POST',
  path: '/api/invoices/recurring/{assignmentUuid}/pause/',
  summary: 'Make no more periods until it is resumed; a run that has begun is finished',
  permission: 'edit',
  feature: 'recurring',
  params: assignmentParams,
  response: assignment,
  errors: [404, 409],
});

export const resumeAssignment = defineEndpoint({
  id: 'resumeAssignment',
  method: 'POST',
  path: '/api/invoices/recurring/{assignmentUuid}/resume/',
  summary: 'Go on with the first period that begins today or later; earlier ones are not owed',
  permission: 'edit',
  feature: 'recurring',
  params: assignmentParams,
  response: assignment,
  errors: [404, 409],
});

export const runAssignment = defineEndpoint({
  id: 'runAssignment',
  method: 'POST',
  path: '/api/invoices/recurring/{assignmentUuid}/run/',
  summary:
    'Make the next period now if it is due, or go on with a run that has begun. Of many customers ' +
    'the first are made at once, and the rest soon after (RUNNING)',
  permission: 'issue',
  feature: 'recurring',
  params: assignmentParams,
  makes: true,
  response: assignmentRun,
  errors: [404, 409],
});

export const listAssignmentRuns = defineEndpoint({
  id: 'listAssignmentRuns',
  method: 'GET',
  path: '/api/invoices/recurring/{assignmentUuid}/runs/',
  summary: 'What each run made, newest period first, twenty a page',
  permission: 'see',
  feature: 'recurring',
  params: assignmentParams,
  query: runsQuery,
  response: z.array(assignmentRun),
  errors: [404],
});
