import { Readable } from 'node:stream';

import ZipStream from 'zip-stream';

/** With a mode of Unix, unzip on Linux reads the names as UTF-8 too. */
const MODE = 0o644;

/** A file of a ZIP. */
export interface ZipEntry {
  /** With `/` between folders. */
  readonly path: string;
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
  /** Not deflated, as for PDFs; deflated when absent. */
  readonly stored?: boolean;
  readonly modifiedAt: Date;
}

/**
 * The bytes of a ZIP, in parts, with bounded memory; zip64 where it is needed. Times are UTC. Where an entry fails it
 * breaks off with its error: without its directory no reader takes the file for whole.
 */
export async function* zipOf(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const zip = new JoinedZip({ zlib: { level: 6 } });
  const filled = fill(zip, entries).catch((error: unknown) => zip.destroy(asError(error)));
  try {
    for await (const part of zip) yield part as Uint8Array;
  } finally {
    // Where the reader breaks off, this ends the entry that is being read.
    zip.destroy();
    await filled;
  }
}

/** Joined writes are passed on at this size (bytes). */
const BLOCK = 16 * 1024;

/**
 * Joins small writes. The library makes some twenty for each entry, and those of the directory all at once: of 100,000
 * entries they would take a gigabyte.
 */
class JoinedZip extends ZipStream {
  /** The library's place in the file, at which an entry begins. */
  declare offset: number;
  readonly #joined = Buffer.alloc(BLOCK);
  #size = 0;

  override write(chunk: Buffer | string): boolean {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (this.#size + bytes.byteLength > BLOCK) this.#flush();
    if (bytes.byteLength > BLOCK) return super.write(bytes);
    this.#size += bytes.copy(this.#joined, this.#size);
    this.offset += bytes.byteLength;
    return !this.writableNeedDrain;
  }

  override end(): this {
    this.#flush();
    return super.end();
  }

  #flush(): void {
    const joined = Buffer.from(this.#joined.subarray(0, this.#size));
    this.offset -= this.#size;
    this.#size = 0;
    if (joined.byteLength > 0) super.write(joined);
  }
}

async function fill(zip: ZipStream, entries: AsyncIterable<ZipEntry>): Promise<void> {
  for await (const entry of entries) {
    await append(zip, entry);
    if (zip.writableNeedDrain) await untilOrClosed(zip, (done) => zip.once('drain', done));
    if (zip.destroyed) return;
  }
  zip.finalize();
}

async function append(zip: ZipStream, entry: ZipEntry): Promise<void> {
  const { path: name, content, stored: store = false, modifiedAt: date } = entry;
  const isWhole = content instanceof Uint8Array;
  const source = isWhole ? Buffer.from(content) : Readable.from(content, { objectMode: false });
  try {
    await untilOrClosed(zip, (done) => zip.entry(source, { name, store, date, mode: MODE }, done));
  } finally {
    if (!Buffer.isBuffer(source)) source.destroy();
  }
}

/** Waits for what calls back, or until the reader has broken off. */
async function untilOrClosed(
  zip: ZipStream,
  start: (done: (error?: Error | null) => void) => unknown,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  zip.once('close', resolve);
  start((error) => (error ? reject(error) : resolve()));
  try {
    await promise;
  } finally {
    zip.off('close', resolve);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
