import { Turns } from '../../../platform/db/turns.ts';
import type { ParsedFile } from './bank-file-parser.ts';
import type { KeptEntry } from './findings.ts';
import { identify } from './identify.ts';
import { unpack } from './packed-list.ts';
import type { BankFileReader, BankFileReading, ReadEntry, ReadingCaller } from './read-entry.ts';
import { ReadingThread } from './reading-thread.ts';

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
/** The digests of one part take ten milliseconds. */
const PARTS_OF_BATCH = 3;
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
): Promise<ParsedFile> {
  for await (const chunk of bytes) await thread.give(chunk);
  return thread.finish();
}

function openReading({ summary, parts }: ParsedFile): BankFileReading {
  const batches = {
    async *[Symbol.asyncIterator](): AsyncGenerator<readonly ReadEntry[]> {
      for (let first = 0; first < parts.length; first += PARTS_OF_BATCH) {
        const some = parts.slice(first, first + PARTS_OF_BATCH);
        yield some.flatMap((part) => unpack<KeptEntry>(part).map(identify));
      }
    },
  };
  return { summary, batches };
}
