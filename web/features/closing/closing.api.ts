import { queryOptions, useMutation } from '@tanstack/react-query';

import type { Obstacle } from '../../../domain/api/error.ts';
import {
  closeCompany,
  getClosing,
  reopenCompany,
} from '../../../domain/closing/closing.endpoints.ts';
import type { Closing, ClosingForm } from '../../../domain/closing/closing.schema.ts';
import { ask, call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';

/** How often it is asked whether a passing obstacle is gone (milliseconds). */
const LOOK = 2000;
const PASSING: ReadonlySet<Obstacle['code']> = new Set(['DELIVERIES', 'EXPORT']);

/** The closing of the company; read again while something hinders it that passes by itself. */
export const closingQuery = queryOptions({
  ...ask('closing', getClosing, {}),
  refetchInterval: ({ state: { data } }) => (data && isPassing(data) ? LOOK : false),
});

/** An archive counts once the browser has all of it. */
function isPassing({ obstacles, archive }: Closing): boolean {
  const codes = obstacles.map(({ code }) => code);
  const isAwaited = codes.includes('ARCHIVE_MISSING') && archive?.fetchedAt === null;
  return isAwaited || codes.some((code) => PASSING.has(code));
}

const meta = { changes: 'closing', answers: closingQuery.queryKey } as const;

export function useCloseCompany() {
  return useMutation({
    mutationFn: async (body: ClosingForm) => call(closeCompany, { body }),
    meta,
    onSuccess: () => showSuccess('Bedriften er avsluttet!'),
  });
}

export function useReopenCompany() {
  return useMutation({
    mutationFn: async () => call(reopenCompany, {}),
    meta,
    onSuccess: () => showSuccess('Bedriften er åpnet igjen!'),
  });
}
