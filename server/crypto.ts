import { createHash, createHmac, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** A token that nobody guesses: 256 random bits, fit for URLs and cookies. */
export function makeToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/**
 * A keyed hash of a secret for the database. `purpose` keeps the uses of one key apart, so that a
 * hash made for one can never serve another.
 */
export function keyedHash(key: string, purpose: string, secret: string): Buffer {
  return createHmac('sha256', key).update(`${purpose}\0${secret}`).digest();
}

/** SHA-256 of bytes or UTF-8 text. */
export function sha256(content: Uint8Array | string): Buffer {
  return createHash('sha256').update(content).digest();
}

/** A hash as it is written in text, of whatever kind of bytes a database returned it. */
export function hexOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex');
}
