import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

/** Characters that are written at a time. */
const BLOCK = 256 * 1024;

/** Longest line that is read (characters). */
const LONGEST_LINE = 64 * 1024 * 1024;

/** A temporary file without a name, so that nothing of it stays when the process is killed. */
export class Spool {
  readonly #handle: FileHandle;
  #block = '';
  #end = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** @param folder on a disk that has room for all rows of a company */
  static async open(folder: string): Promise<Spool> {
    // With a database server, nothing else may have been written there yet.
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const own = await mkdtemp(join(folder, 'spool-'));
    try {
      return new Spool(await open(join(own, 'spool'), 'wx+', 0o600));
    } finally {
      await rm(own, { recursive: true });
    }
  }

  async line(text: string): Promise<void> {
    this.#block += `${text}\n`;
    if (this.#block.length >= BLOCK) await this.#flush();
  }

  /** Adds bytes, and returns how to read them. */
  async bytes(content: Uint8Array): Promise<() => Promise<Uint8Array>> {
    await this.#flush();
    const start = this.#end;
    await this.#append(content);
    return async () => {
      const part = Buffer.alloc(content.byteLength);
      await this.#handle.read(part, 0, part.byteLength, start);
      return part;
    };
  }

  async *content(): AsyncGenerator<Uint8Array> {
    await this.#flush();
    if (this.#end === 0) return;
    const end = this.#end - 1;
    const stream = createReadStream('', { fd: this.#handle, autoClose: false, start: 0, end });
    for await (const chunk of stream) yield chunk as Buffer;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async #flush(): Promise<void> {
    const block = this.#block;
    this.#block = '';
    if (block !== '') await this.#append(Buffer.from(block));
  }

  async #append(content: Uint8Array): Promise<void> {
    await this.#handle.appendFile(content);
    this.#end += content.byteLength;
  }
}

/** The values of lines of JSON. */
export async function* readJsonLines<T>(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<T> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new RangeError('A line is too long');
    for (const line of lines) yield JSON.parse(line) as T;
  }
  if (rest !== '') yield JSON.parse(rest) as T;
}
