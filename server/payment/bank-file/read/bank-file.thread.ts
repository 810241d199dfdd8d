// Reads one file in a thread of its own, so that seconds of work do not block requests.

import { deflateRawSync } from 'node:zlib';

import { lowerPriorityOfThread } from '../../../platform/limits/priority.ts';
import { answerTasks } from '../../../platform/tasks/answer-tasks.ts';
import { BankFileFault, type FileFault } from './bank-file-fault.ts';
import { BankFileParser, type ParsedFile } from './bank-file-parser.ts';
import type { BankFileSummary } from './read-entry.ts';

/** The next bytes of the file; null is its end. */
export type PieceOfFile = Uint8Array | null;

/** A file without faults, as it waits for the database: a seventh of its size as objects. */
export interface PackedFile {
  readonly summary: BankFileSummary;
  /** Batches of `ReadEntry[]`, each as compressed JSON. */
  readonly batches: readonly Uint8Array<ArrayBuffer>[];
}

/** Null: go on with the next bytes. */
export type ReaderAnswer = PackedFile | { readonly faults: readonly FileFault[] } | null;

/** Entries per batch: parsing one holds the event loop for some milliseconds. */
const BATCH = 600;

lowerPriorityOfThread();

let parser: BankFileParser | undefined;

answerTasks<ReaderAnswer>(
  (piece: PieceOfFile, goOn) => {
    parser ??= new BankFileParser(goOn);
    try {
      if (!piece) return pack(parser.end(), goOn);
      parser.write(piece);
      return null;
    } catch (error) {
      if (error instanceof BankFileFault) return { faults: error.faults };
      throw error;
    }
  },
  {
    transferred: (answer) =>
      answer && 'batches' in answer ? answer.batches.map(({ buffer }) => buffer) : [],
  },
);

function pack({ summary, entries }: ParsedFile, goOn: () => void): PackedFile {
  const batches: Uint8Array<ArrayBuffer>[] = [];
  for (let start = 0; start < entries.length; start += BATCH) {
    const json = JSON.stringify(entries.slice(start, start + BATCH));
    // Copied, because zlib's buffer is longer than its contents.
    batches.push(new Uint8Array(deflateRawSync(json, { level: 1 })));
    goOn();
  }
  return { summary, batches };
}
