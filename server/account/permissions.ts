import { type Permission, permissionsOf } from '../../domain/permission.ts';
import type { Actor, Context } from '../context.ts';
import { AppError } from '../errors.ts';
import type { Db } from '../platform/db/database.ts';
import { findMembership } from './member.repository.ts';

/**
 * Refuses what the caller's role does not allow. For calls whose data decides what they need; the permission of an
 * endpoint is asked before.
 * @throws AppError not_permitted
 */
export function demand({ permissions }: Pick<Actor, 'permissions'>, permission: Permission): void {
  if (!permissions.includes(permission)) throw new AppError('not_permitted');
}

/**
 * Refuses a caller whose access has ended or become less since it was looked up.
 * @throws AppError no_company, not_permitted
 */
export async function demandStill(
  { config }: Pick<Context, 'config'>,
  db: Db,
  { companyId, accountId, permissions }: Pick<Actor, 'companyId' | 'accountId' | 'permissions'>,
): Promise<void> {
  const found = await findMembership(db, { companyId, accountId }, config.features.has('members'));
  if (!found) throw new AppError('no_company');
  const now = { permissions: permissionsOf(found) };
  for (const permission of permissions) demand(now, permission);
}
