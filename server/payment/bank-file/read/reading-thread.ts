import { Worker } from 'node:worker_threads';

import { BankFileFault, BankFileNotRead } from './bank-file-fault.ts';
import type { ParsedFile } from './bank-file-parser.ts';
import type { ReaderAnswer, ReaderTask } from './reader.worker.ts';

interface Options {
  readonly file: URL;
  /** How long the thread may be silent after getting data (milliseconds). */
  readonly patience: number;
}

/** Bytes handed over at once: copying them takes no noticeable time. */
const PIECE = 256 * 1024;
/** Memory limit. A million entries take less; only a hostile file takes more. */
const MEGABYTES = 128;
const MEGABYTES_OF_THE_YOUNG = 8;

/** A thread that reads one file. The caller must end it. */
export class ReadingThread {
  readonly #worker: Worker;
  readonly #patience: number;
  /** The buffer that carries bytes to the thread and is returned by it. */
  #memory = new ArrayBuffer(PIECE);
  #answer: PromiseWithResolvers<ParsedFile | null> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #end: Error | null = null;

  constructor({ file, patience }: Options) {
    this.#patience = patience;
    this.#worker = new Worker(file, {
      resourceLimits: {
        maxOldGenerationSizeMb: MEGABYTES,
        maxYoungGenerationSizeMb: MEGABYTES_OF_THE_YOUNG,
      },
    });
    this.#worker.on('message', (answer: ReaderAnswer) => this.#take(answer));
    this.#worker.on('error', (cause) =>
      this.#fail(new BankFileNotRead('The thread failed', { cause })),
    );
    this.#worker.on('exit', () => this.#fail(new BankFileNotRead('The thread ended')));
  }

  /** Sends bytes to the thread. @throws BankFileFault, BankFileNotRead */
  async give(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.byteLength; start += PIECE) {
      const piece = bytes.subarray(start, start + PIECE);
      const copy = new Uint8Array(this.#memory, 0, piece.byteLength);
      copy.set(piece);
      await this.#ask(copy);
    }
  }

  /** Ends the file. @throws BankFileFault, BankFileNotRead */
  async finish(): Promise<ParsedFile> {
    const file = await this.#ask(null);
    if (!file) throw new BankFileNotRead('The thread does not say what it has read');
    return file;
  }

  /** Ends the thread at once. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  async #ask(task: Uint8Array<ArrayBuffer> | null): Promise<ParsedFile | null> {
    if (this.#end) throw this.#end;
    const answer = Promise.withResolvers<ParsedFile | null>();
    this.#answer = answer;
    this.#listen();
    this.#worker.postMessage(task satisfies ReaderTask, task ? [task.buffer] : []);
    return answer.promise;
  }

  #take(answer: ReaderAnswer): void {
    clearTimeout(this.#timer);
    if (answer.type === 'WORKING') this.#listen();
    else if (answer.type === 'FAULTY') this.#answer?.reject(new BankFileFault(answer.faults));
    else if (answer.type === 'WHOLE') this.#answer?.resolve(answer.file);
    else {
      this.#memory = answer.memory;
      this.#answer?.resolve(null);
    }
  }

  #listen(): void {
    this.#timer = setTimeout(() => {
      this.#fail(new BankFileNotRead('The thread fell silent'));
      void this.#worker.terminate();
    }, this.#patience);
  }

  #fail(error: Error): void {
    clearTimeout(this.#timer);
    this.#end ??= error;
    this.#answer?.reject(this.#end);
  }
}
