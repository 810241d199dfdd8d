import { batchWhileBusy } from '../batching.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { requestContext } from '../request-context.ts';
import { findSessions } from './session.repository.ts';

/** Calls wait for it, but it belongs to no single one. */
const LOOKING_UP = { requestId: 'session-lookup', call: { companyId: null } };
/** How many sessions one statement looks up at most. */
const BATCH = 100;

/**
 * Looks sessions up. Every call of the API begins with it, so under load one statement serves all calls
 * that came during the last one. Each call still sees its session as it is after the call came.
 */
export function openSessionLookup(db: Db): Context['findSession'] {
  return batchWhileBusy(BATCH, async (tokenHashes) =>
    requestContext.run(LOOKING_UP, async () => findSessions(db, tokenHashes)),
  );
}
