import { createHash } from 'node:crypto';

/** The size and the hash of a file, set once all of it was read. */
export interface ListedFile {
  bytes: number;
  /** In hex. */
  sha256: string;
}

/** The same bytes; when they end, `file` says how many there were, and their hash. */
export async function* hashing(
  content: Uint8Array | AsyncIterable<Uint8Array>,
  file: ListedFile,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of content instanceof Uint8Array ? [content] : content) {
    hash.update(chunk);
    file.bytes += chunk.byteLength;
    yield chunk;
  }
  file.sha256 = hash.digest('hex');
}
