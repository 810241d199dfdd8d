import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** A token that cannot be guessed: 256 random bits, safe in URLs and cookies. */
export function makeToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/**
 * A keyed hash of a secret for the database (ACC-11). `purpose` separates the uses of one key: a hash made for one use is
 * invalid for another.
 */
export function keyedHash(key: string, purpose: string, secret: string): Buffer {
  return createHmac('sha256', key).update(`${purpose}\0${secret}`).digest();
}

/** SHA-256 of bytes or UTF-8 text. */
export function sha256(content: Uint8Array | string): Buffer {
  return createHash('sha256').update(content).digest();
}

/** A hash in hex, for any byte type that a database driver returns. */
export function hexOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex');
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** RFC 4648 § 6 in lower case, without padding. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32[(value >>> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts texts for the database (AES-256-GCM). */
export class Cipher {
  readonly #secret: Buffer;

  /** @param secret 32 bytes */
  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  encrypt(text: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#secret, nonce);
    const encrypted = [cipher.update(text, 'utf8'), cipher.final()];
    return Buffer.concat([nonce, cipher.getAuthTag(), ...encrypted]);
  }

  /** @throws Error for a text that was encrypted with another secret */
  decrypt(kept: Uint8Array): string {
    const bytes = Buffer.from(kept);
    const decipher = createDecipheriv(CIPHER, this.#secret, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString();
  }
}
