import { randomBytes } from 'node:crypto';

import { todayInOslo } from '../../domain/date.ts';
import { permissionsOf } from '../../domain/permission.ts';
import {
  type ApiToken,
  MOST_KEYS,
  type NewApiToken,
  type TokenForm,
} from '../../domain/token/token.schema.ts';
import { lockCompany } from '../company/profile.repository.ts';
import type { Actor, Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { base32 } from '../platform/crypto.ts';
import { hashToken } from './session.service.ts';
import * as repository from './token.repository.ts';

/** Random bytes of a key: 160 bits. */
const KEY_BYTES = 20;

/** The tokens that work: an owner sees all of the company, the operator's too, others their own (INT-5). */
export async function listTokens({ config, db }: Context, actor: Actor): Promise<ApiToken[]> {
  const rows = await repository.findTokens(db, actor.companyId, config.features.has('members'));
  return rows.filter((row) => maySee(actor, row)).map(toToken);
}

function maySee({ role, accountId }: Actor, token: repository.ListedToken): boolean {
  return role === 'OWNER' || (token.scopes !== null && token.accountId === accountId);
}

function toToken(row: repository.ListedToken): ApiToken {
  const { scopes, lastUsedAt } = row;
  return {
    uuid: row.uuid,
    name: row.name,
    scopes: [...(scopes ?? permissionsOf(row))],
    expiresOn: row.expiresOn,
    createdAt: row.createdAt.toISOString(),
    createdBy: scopes === null ? null : row.email,
    lastUsedOn: lastUsedAt && todayInOslo(lastUsedAt),
  };
}

/** Makes a key. Its secret is told only here (INT-1). @throws AppError scope_not_held, too_many_tokens */
export async function createToken(
  { config, db }: Context,
  actor: Actor,
  form: TokenForm,
): Promise<NewApiToken> {
  const { accountId, companyId, permissions } = actor;
  if (!form.scopes.every((scope) => permissions.includes(scope))) {
    throw new AppError('scope_not_held', { field: 'scopes' });
  }
  const token = `fkt_${base32(randomBytes(KEY_BYTES))}`;
  return db.transaction().execute(async (trx) => {
    // Two calls at once make no key too many.
    await lockCompany(trx, companyId);
    if ((await repository.countKeys(trx, companyId)) >= MOST_KEYS) {
      throw new AppError('too_many_tokens');
    }
    const hash = hashToken(config.secretKey, token);
    const uuid = await repository.insertKey(trx, { companyId, accountId }, form, hash);
    const [row] = await repository.findTokens(trx, companyId, true, uuid);
    if (!row) throw new Error('The new key is not there');
    return { ...toToken(row), token };
  });
}

/** Ends a key at once. @throws AppError not_found, token_of_operator */
export async function deleteToken(
  { config, db }: Context,
  actor: Actor,
  uuid: string,
): Promise<undefined> {
  const { companyId } = actor;
  await db.transaction().execute(async (trx) => {
    const withMembers = config.features.has('members');
    const [row] = await repository.findTokens(trx, companyId, withMembers, uuid);
    if (!row || !maySee(actor, row)) throw new AppError('not_found');
    if (row.scopes === null) throw new AppError('token_of_operator');
    await repository.deleteKey(trx, companyId, uuid);
  });
}
