import { Worker } from 'node:worker_threads';
import { inflateRawSync } from 'node:zlib';

import { Turns } from '../../../platform/db/turns.ts';
import { BankFileFault, BankFileNotRead } from './bank-file-fault.ts';
import type { BankFileReader, BankFileReading, ReadEntry, ReadingCaller } from './read-entry.ts';
import type { PackedFile, ReaderAnswer, ReaderTask } from './reader.worker.ts';

interface Options {
  /** The module that the threads run. */
  readonly worker?: URL;
  /** How long a thread may be silent after getting data (milliseconds). */
  readonly patience?: number;
  /** How long a file waits for its turn (milliseconds). */
  readonly patienceForTurn?: number;
}

const WORKER = new URL('reader.worker.ts', import.meta.url);
/** Files read at once, each of another company. */
const THREADS = 4;
/** Files of one company that may wait; each costs only its place in the queue. */
const MOST_WAITING = 5;
/** Bytes handed over at once: copying them takes no noticeable time. */
const PIECE = 256 * 1024;
/** Memory limit. A million entries take less; only a hostile file takes more. */
const MEGABYTES = 336;
const MEGABYTES_OF_THE_YOUNG = 8;
const PATIENCE = 30_000;
const PATIENCE_FOR_TURN = 60_000;

/** Creates the reader of bank files. A thread starts and ends with its file. */
export function createBankFileReader({
  worker = WORKER,
  patience = PATIENCE,
  patienceForTurn = PATIENCE_FOR_TURN,
}: Options = {}): BankFileReader {
  const turns = new Turns<number>({ places: THREADS, most: () => 1, mostWaiting: MOST_WAITING });
  const underWay = new Set<Promise<BankFileReading>>();
  let isClosed = false;
  const read = async (bytes: AsyncIterable<Uint8Array>, caller: ReadingCaller) =>
    turns.run(
      caller.companyId,
      async () => readInThread(new ReadingThread({ file: worker, patience }), bytes, caller),
      { patience: patienceForTurn, signal: caller.signal },
    );
  return {
    read: async (bytes, caller) => {
      if (isClosed) throw new Error('The reader of bank files is closed');
      const reading = read(bytes, caller);
      underWay.add(reading);
      try {
        return await reading;
      } finally {
        underWay.delete(reading);
      }
    },
    close: async () => {
      isClosed = true;
      await Promise.allSettled(underWay);
    },
  };
}

async function readInThread(
  thread: ReadingThread,
  bytes: AsyncIterable<Uint8Array>,
  { signal }: ReadingCaller,
): Promise<BankFileReading> {
  const gone = Promise.withResolvers<never>();
  // Prevents an unhandled rejection when nobody awaits it any more.
  gone.promise.catch(() => undefined);
  const hangUp = () => gone.reject(signal.reason);
  signal.addEventListener('abort', hangUp);
  try {
    return openReading(await Promise.race([readAll(thread, bytes), gone.promise]));
  } finally {
    signal.removeEventListener('abort', hangUp);
    await thread.end();
  }
}

async function readAll(
  thread: ReadingThread,
  bytes: AsyncIterable<Uint8Array>,
): Promise<PackedFile> {
  for await (const chunk of bytes) await thread.give(chunk);
  return thread.finish();
}

function openReading({ summary, batches }: PackedFile): BankFileReading {
  return {
    summary,
    batches: {
      async *[Symbol.asyncIterator](): AsyncGenerator<readonly ReadEntry[]> {
        for (const batch of batches) {
          yield JSON.parse(inflateRawSync(batch).toString()) as ReadEntry[];
        }
      },
    },
  };
}

/** A thread that reads one file. The caller must end it. */
class ReadingThread {
  readonly #worker: Worker;
  readonly #patience: number;
  /** The buffer that carries bytes to the thread and is returned by it. */
  #memory = new ArrayBuffer(PIECE);
  #answer: PromiseWithResolvers<PackedFile | null> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #end: Error | null = null;

  constructor({ file, patience }: { file: URL; patience: number }) {
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
  async finish(): Promise<PackedFile> {
    const file = await this.#ask(null);
    if (!file) throw new BankFileNotRead('The thread does not say what it has read');
    return file;
  }

  /** Ends the thread at once. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  async #ask(task: Uint8Array<ArrayBuffer> | null): Promise<PackedFile | null> {
    if (this.#end) throw this.#end;
    const answer = Promise.withResolvers<PackedFile | null>();
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
