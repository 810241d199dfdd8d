import { inflateRawSync } from 'node:zlib';

import { Turns } from '../../../platform/db/turns.ts';
import { withRunner } from '../../../platform/tasks/task-runner.ts';
import { BankFileFault } from './bank-file-fault.ts';
import type { PackedFile, PieceOfFile, ReaderAnswer } from './bank-file.thread.ts';
import type { BankFileReader, BankFileReading, ReadEntry, ReadingCaller } from './read-entry.ts';

interface Options {
  /** The program of the threads. */
  readonly program?: URL;
  /** How long a thread may be silent after getting data (milliseconds). */
  readonly patience?: number;
  /** How long a file waits for its turn (milliseconds). */
  readonly patienceForTurn?: number;
}

const PROGRAM = new URL('bank-file.thread.ts', import.meta.url);
/** Files read at once, each of another company. */
const THREADS = 4;
/** Files of one company that may wait; each costs only its place in the queue. */
const MOST_WAITING = 5;
/** Bytes handed over at once: copying them takes no noticeable time. */
const PIECE = 256 * 1024;
/** Memory limit. A million entries take less; only a hostile file takes more. */
const MEGABYTES = 336;
const PATIENCE = 30_000;
const PATIENCE_FOR_TURN = 60_000;

/** Creates the reader of bank files. A thread starts and ends with its file. */
export function createBankFileReader({
  program = PROGRAM,
  patience = PATIENCE,
  patienceForTurn = PATIENCE_FOR_TURN,
}: Options = {}): BankFileReader {
  const turns = new Turns<number>({ places: THREADS, most: () => 1, mostWaiting: MOST_WAITING });
  const underWay = new Set<Promise<BankFileReading>>();
  let isClosed = false;
  const read = async (bytes: AsyncIterable<Uint8Array>, { companyId, signal }: ReadingCaller) =>
    turns.run(companyId, async () => readInThread(program, { bytes, patience, signal }), {
      patience: patienceForTurn,
      signal,
    });
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

interface Task {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly patience: number;
  readonly signal: AbortSignal;
}

async function readInThread(
  file: URL,
  { bytes, patience, signal }: Task,
): Promise<BankFileReading> {
  return withRunner<PieceOfFile, ReaderAnswer, BankFileReading>(
    { file, isThread: true, megabytes: MEGABYTES },
    async (thread) => {
      const give = async (piece: PieceOfFile) => {
        const answer = await thread.ask(piece, patience);
        if (answer && 'faults' in answer) throw new BankFileFault(answer.faults);
        return answer;
      };
      for await (const chunk of bytes) {
        for (let start = 0; start < chunk.byteLength; start += PIECE) {
          // Copied, because a message takes the whole memory of a view along.
          await give(new Uint8Array(chunk.subarray(start, start + PIECE)));
        }
      }
      const packed = await give(null);
      if (!packed) throw new Error('The thread does not say what it has read');
      return openReading(packed);
    },
    signal,
  );
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
