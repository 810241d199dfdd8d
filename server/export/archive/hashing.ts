import { createHash } from 'node:crypto';

import { hexOf, sha256 } from '../../platform/crypto.ts';

/** The size and the hash of a file, set once all of it was read. */
export interface ListedFile {
  bytes: number;
  /** In hex. */
  sha256: string;
}

/** The size and the hash of bytes that are here already. */
export function listedFile(content: Uint8Array): ListedFile {
  return { bytes: content.byteLength, sha256: hexOf(sha256(content)) };
}

/** The same bytes; when they end, `file` says how many there were, and their hash. */
export async function* hashing(
  content: AsyncIterable<Uint8Array>,
  file: ListedFile,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of content) {
    hash.update(chunk);
    file.bytes += chunk.byteLength;
    yield chunk;
  }
  file.sha256 = hash.digest('hex');
}
