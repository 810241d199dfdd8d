import { sha256 } from '../platform/crypto.ts';

/**
 * The hash of a document: SHA-256 over the previous document's hash (nothing for the first) and the
 * document's text, so that changing any document later breaks the chain from there on.
 */
export function hashText(text: string, previous: Uint8Array | null): Buffer {
  const content = Buffer.from(text);
  return sha256(previous ? Buffer.concat([previous, content]) : content);
}
