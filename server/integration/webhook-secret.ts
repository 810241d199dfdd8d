import { randomBytes } from 'node:crypto';

import { Cipher, keyedHash } from '../platform/crypto.ts';

/** The prefix that Standard Webhooks gives to secrets. */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Secrets are kept encrypted, because messages are signed with them. */
function cipherOf(secretKey: string): Cipher {
  return new Cipher(keyedHash(secretKey, 'webhook-secret', ''));
}

/** A new secret as its owner sees it, and as it is kept. */
export function makeSecret(secretKey: string): { shown: string; kept: Buffer } {
  const shown = PREFIX + randomBytes(SECRET_BYTES).toString('base64');
  return { shown, kept: cipherOf(secretKey).encrypt(shown) };
}

/** The bytes of a kept secret, which sign. @throws Error when it was kept with another key */
export function openSecret(secretKey: string, kept: Uint8Array): Buffer {
  return Buffer.from(cipherOf(secretKey).decrypt(kept).slice(PREFIX.length), 'base64');
}
