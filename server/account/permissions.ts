import type { Permission } from '../../domain/permission.ts';
import type { Actor } from '../context.ts';
import { AppError } from '../errors.ts';

/**
 * Refuses what the caller's role does not allow. For calls whose data decides what they need; the permission of an
 * endpoint is asked before.
 * @throws AppError not_permitted
 */
export function demand({ permissions }: Pick<Actor, 'permissions'>, permission: Permission): void {
  if (!permissions.includes(permission)) throw new AppError('not_permitted');
}
