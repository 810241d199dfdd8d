import { createHash, hash } from 'node:crypto';

import type { Actor, Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { FileRow } from './bank-file.repository.ts';
import { previewFile } from './preview.service.ts';
import type { BankFileReader } from './read/read-entry.ts';

interface Upload {
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The Content-Length, in bytes. */
  readonly size: string | undefined;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

interface Previewed {
  readonly file: FileRow;
  readonly isOld: boolean;
}

/** An upload that is being read. */
interface Reading {
  /** Whether other uploads wait for its answer. */
  isShared: boolean;
  readonly outcome: Promise<Previewed>;
  /** SHA-256 of all bytes; null when the upload broke off. */
  readonly sha256: Promise<string | null>;
}

/** Enough to distinguish files of a company that have the same size. */
const HEAD = 64 * 1024;
/** Retry-After, in seconds. */
const RETRY_AFTER = 2;

/**
 * Reads files as `previewFile` does, but the same file sent several times at once only once: all callers get the
 * same answer (BANK-7). Later copies are only hashed as they arrive, so they take neither memory nor a turn.
 */
export class SharedPreviews {
  readonly #context: Context;
  readonly #reader: BankFileReader;
  readonly #underWay = new Map<string, Reading>();

  constructor(context: Context, reader: BankFileReader) {
    this.#context = context;
    this.#reader = reader;
  }

  /**
   * @throws AppError as `previewFile`; unavailable when the upload it was matched with broke off or was another
   * file
   */
  async preview(actor: Actor, { bytes, size, ...upload }: Upload): Promise<Previewed> {
    const rest = new HashedBytes(bytes);
    const head = await rest.peek(HEAD);
    const key = `${actor.companyId} ${size} ${hash('sha256', head, 'hex')}`;
    const reading = this.#underWay.get(key);
    if (reading) return follow(reading, rest);
    return this.#lead(actor, key, { ...upload, bytes: rest });
  }

  async #lead(
    actor: Actor,
    key: string,
    { bytes, name, signal }: Omit<Upload, 'bytes' | 'size'> & { readonly bytes: HashedBytes },
  ): Promise<Previewed> {
    const stop = new AbortController();
    const whole = Promise.withResolvers<string | null>();
    const outcome = previewFile(this.#context, this.#reader, actor, {
      name,
      bytes,
      signal: stop.signal,
    });
    const reading: Reading = { isShared: false, outcome, sha256: whole.promise };
    // Others may still wait after the first caller disconnected.
    const hangUp = () => {
      if (!reading.isShared) stop.abort(signal.reason);
    };
    signal.addEventListener('abort', hangUp);
    this.#underWay.set(key, reading);
    try {
      return await outcome;
    } finally {
      this.#underWay.delete(key);
      signal.removeEventListener('abort', hangUp);
      if (!reading.isShared) bytes.close();
      whole.resolve(reading.isShared ? await bytes.finish().catch(() => null) : null);
    }
  }
}

async function follow(reading: Reading, bytes: HashedBytes): Promise<Previewed> {
  reading.isShared = true;
  const sha256 = await bytes.finish();
  if ((await reading.sha256) !== sha256) {
    throw new AppError('unavailable', { retryAfter: RETRY_AFTER });
  }
  const { file } = await reading.outcome;
  return { file, isOld: true };
}

/** Bytes that are hashed as they are read. When a reader stops early, `finish` reads the rest. */
class HashedBytes implements AsyncIterable<Uint8Array> {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #hash = createHash('sha256');
  #head: Uint8Array[] = [];

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The first bytes; a later read returns them again. */
  async peek(size: number): Promise<Uint8Array> {
    let length = 0;
    while (length < size) {
      const result = await this.#source.next();
      if (result.done) break;
      this.#head.push(result.value);
      length += result.value.length;
    }
    return Buffer.concat(this.#head).subarray(0, size);
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return { next: async () => this.#next() };
  }

  /** Reads the rest and returns the SHA-256 of all bytes (hex). */
  async finish(): Promise<string> {
    while (!(await this.#next()).done);
    return this.#hash.digest('hex');
  }

  /** Stops reading; bytes still under way are discarded. */
  close(): void {
    this.#source.return?.().catch(() => undefined);
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    const value = this.#head.shift();
    const result = value ? { value } : await this.#source.next();
    if (!result.done) this.#hash.update(result.value);
    return result;
  }
}
