import type { Actor, Context } from '../context.ts';
import { AppError } from '../errors.ts';
import type { Trx } from '../platform/db/database.ts';
import { findSending, type Source } from './sending-source.repository.ts';

/**
 * Refuses to change a template or a group from which an assignment sends by itself, to those who may not send: the next
 * invoices would be theirs (MEM-4). @throws AppError source_sends
 */
export async function demandForSource(
  { config }: Pick<Context, 'config'>,
  trx: Trx,
  { companyId, permissions }: Actor,
  source: Source,
): Promise<void> {
  if (permissions.includes('issue') || !config.features.has('recurring')) return;
  const name = await findSending(trx, companyId, source);
  if (name !== null) throw new AppError('source_sends', { subject: name });
}
