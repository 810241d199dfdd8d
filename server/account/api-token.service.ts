import type { Actor, Context } from '../context.ts';
import { keyedHash, makeToken } from '../platform/crypto.ts';
import * as repository from './api-token.repository.ts';
import { toActor } from './session.service.ts';

export { listApiTokens, revokeApiToken } from './api-token.repository.ts';

/** A use is saved only when the saved one is older than this, so that most calls write nothing (milliseconds). */
const NOTE_AFTER = 60 * 60 * 1000;

/** The account that a personal API token belongs to. */
export async function findActorByApiToken(
  { config, db, findApiToken }: Pick<Context, 'config' | 'db' | 'findApiToken'>,
  token: string,
): Promise<Actor | null> {
  const found = await findApiToken(hashToken(config.secretKey, token));
  if (!found) return null;
  const noted = found.lastUsedAt?.getTime() ?? 0;
  if (Date.now() - noted > NOTE_AFTER) await repository.noteUse(db, found.tokenId);
  return toActor({ config }, found, found.tokenName);
}

/**
 * Creates a token for the account of an address. The token is returned only here: the database stores its hash. Null
 * when there is no such account.
 */
export async function createApiToken(
  { config, db }: Pick<Context, 'config' | 'db'>,
  email: string,
  name: string,
): Promise<{ id: number; token: string } | null> {
  const token = makeToken();
  const tokenHash = hashToken(config.secretKey, token);
  const id = await repository.insertApiToken(db, { email, name: name.normalize('NFC'), tokenHash });
  return id === null ? null : { id, token };
}

function hashToken(key: string, token: string): Buffer {
  return keyedHash(key, 'api-token', token);
}
