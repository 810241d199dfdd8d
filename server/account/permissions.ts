import type { Endpoint } from '../../domain/api/endpoint.ts';
import { type Permission, permissionsOf } from '../../domain/permission.ts';
import type { Actor, Context } from '../context.ts';
import { AppError } from '../errors.ts';
import type { Db } from '../platform/db/database.ts';
import { findMembership } from './member.repository.ts';

/**
 * Refuses what the caller's role does not allow. For calls whose data decides what they need; the permission of an
 * endpoint is asked before.
 * @throws AppError not_permitted, beyond_scopes
 */
export function demand(
  { permissions, tokenScopes }: Pick<Actor, 'permissions' | 'tokenScopes'>,
  permission: Permission,
): void {
  if (permissions.includes(permission)) return;
  throw new AppError(tokenScopes === null ? 'not_permitted' : 'beyond_scopes');
}

/**
 * Refuses a change of a closed company. The one place of this refusal for calls: those that a closed company answers say
 * `whileClosed` (CLO-3).
 * @throws AppError company_closed
 */
export function demandOpen(
  { isClosed }: Pick<Actor, 'isClosed'>,
  { whileClosed }: Pick<Endpoint, 'whileClosed'>,
): void {
  if (isClosed && !whileClosed) throw new AppError('company_closed');
}

/**
 * Refuses a caller whose access has ended or become less, or whose company was closed, since it was looked up.
 * @throws AppError no_company, not_permitted, beyond_scopes, company_closed
 */
export async function demandStill(
  { config }: Pick<Context, 'config'>,
  db: Db,
  {
    companyId,
    accountId,
    permissions,
    tokenScopes,
  }: Pick<Actor, 'companyId' | 'accountId' | 'permissions' | 'tokenScopes'>,
  endpoint: Endpoint,
): Promise<void> {
  const found = await findMembership(db, { companyId, accountId }, config.features.has('members'));
  if (!found) throw new AppError('no_company');
  const now = { permissions: permissionsOf(found), tokenScopes };
  for (const permission of permissions) demand(now, permission);
  demandOpen(found, endpoint);
}
