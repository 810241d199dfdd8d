import { useMutation } from '@tanstack/react-query';

import {
  createAssignment,
  deleteAssignment,
  pauseAssignment,
  resumeAssignment,
  runAssignment,
  updateAssignment,
} from '../../../domain/recurring/recurring.endpoints.ts';
import { call } from '../../lib/client.ts';
import type { Saved } from '../../forms/GuardedForm.tsx';
import { showSuccess } from '../../lib/toasts.ts';
import { toBody, type AssignmentFields } from './assignment-form.ts';
import { runText } from './labels.ts';
import { assignmentKeys } from './recurring.queries.ts';

export function useCreateAssignment() {
  return useMutation({
    mutationFn: async ({ values }: Saved<AssignmentFields>) =>
      call(createAssignment, { body: toBody(values) }),
    meta: { changes: 'recurring' },
    onSuccess: () => showSuccess('Fast oppdrag opprettet!', { follows: true }),
  });
}

export function useUpdateAssignment(assignmentUuid: string) {
  return useMutation({
    mutationFn: async ({ values, version }: Saved<AssignmentFields>) =>
      call(updateAssignment, { params: { assignmentUuid }, body: { ...toBody(values), version } }),
    meta: { changes: 'recurring', answers: assignmentKeys.detail(assignmentUuid) },
    onSuccess: () => showSuccess('Fast oppdrag oppdatert!', { follows: true }),
  });
}

export function useDeleteAssignment() {
  return useMutation({
    mutationFn: async (assignmentUuid: string) =>
      call(deleteAssignment, { params: { assignmentUuid } }),
    meta: { changes: 'recurring', renewal: 'nextScreen' },
    onSuccess: () => showSuccess('Fast oppdrag slettet!', { follows: true }),
  });
}

export function usePauseAssignment(uuid: string) {
  return useStateChange(pauseAssignment, uuid, 'Oppdraget er satt på pause.');
}

export function useResumeAssignment(uuid: string) {
  return useStateChange(resumeAssignment, uuid, 'Oppdraget er i gang igjen.');
}

function useStateChange(endpoint: typeof pauseAssignment, assignmentUuid: string, message: string) {
  return useMutation({
    mutationFn: async () => call(endpoint, { params: { assignmentUuid } }),
    // The response updates the screen, so the reverse button is ready before the refetch ends.
    meta: {
      changes: 'recurring',
      renewal: 'after',
      answers: assignmentKeys.detail(assignmentUuid),
    },
    onSuccess: () => showSuccess(message),
  });
}

/** Makes the invoices of the period that is due. */
export function useRunAssignment() {
  return useMutation({
    mutationFn: async (assignmentUuid: string) =>
      call(runAssignment, { params: { assignmentUuid } }),
    meta: { changes: 'assignment-runs' },
    onSuccess: (run) => showSuccess(runText(run)),
  });
}
