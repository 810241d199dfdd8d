import type { DocumentHome } from '../platform/db/columns.ts';
import { moveDocuments, type MoveProgress } from '../document/document-move.service.ts';
import { countFiles } from '../document/file-home.repository.ts';
import { ObjectStoreAway } from '../platform/object-store/object-store.ts';
import {
  OperatorError,
  readArguments,
  TEXT,
  refuseWords,
  UsageError,
  type Command,
  type OperatorContext,
  type Output,
} from './command.ts';

/** Interval of progress reports during a move (milliseconds). */
const REPORT_INTERVAL = 5_000;

const HOMES: Readonly<Record<string, DocumentHome>> = { s3: 'S3', database: 'DATABASE' };

/** Shows and moves the bytes of documents. */
export const documentsCommand: Command = {
  usage: `npm run documents -- count                  how many files of documents live where
npm run documents -- move --to s3           out of the database, to DOCUMENT_STORE
npm run documents -- move --to database     back; DOCUMENT_STORE must end with new=no

A move works while Faktur runs. It may be cut off and begun again: each file is compared with
its SHA-256 in its new home before it leaves the old one. Ends with 1 when some are not what they
should be; they are named, and stay as they are.`,

  async run(context, args, output) {
    const { words, options } = readArguments(args, { to: TEXT });
    const [action, ...rest] = words;
    refuseWords(rest);
    if (action === 'count' && options.to === undefined) return count(context, output);
    if (action !== 'move') throw new UsageError('What to do?');
    const to = HOMES[options.to ?? ''];
    if (!to) throw new UsageError('Where to?');
    requireSetting(context, to);
    return move(context, to, output);
  },
};

async function count({ db }: OperatorContext, output: Output): Promise<number> {
  const counted = await countFiles(db);
  if (counted.length === 0) output.line('There are no files of documents.');
  for (const { home, files } of counted) {
    output.line(`${files} files in ${home === 'S3' ? 'S3' : 'the database'}`);
  }
  return 0;
}

/** Documents made meanwhile must not go to the store that is being emptied. */
function requireSetting({ config, objectStore }: OperatorContext, to: DocumentHome): void {
  if (!config.documentStore) throw new OperatorError('DOCUMENT_STORE is not set.');
  if (to === 'S3' && !objectStore.takesNew) {
    throw new OperatorError(
      'DOCUMENT_STORE says new=no, so new documents go to the database. Take that away and start every process anew first.',
    );
  }
  if (to === 'DATABASE' && objectStore.takesNew) {
    throw new OperatorError(
      'New documents go to S3. Add &new=no to DOCUMENT_STORE and start every process anew first.',
    );
  }
}

async function move(context: OperatorContext, to: DocumentHome, output: Output): Promise<number> {
  let last: MoveProgress = { files: 0, bytes: 0, damaged: [] };
  let reportedAt = performance.now();
  try {
    for await (last of moveDocuments(context, to)) {
      if (performance.now() - reportedAt < REPORT_INTERVAL) continue;
      reportedAt = performance.now();
      output.line(wordsOf(last));
    }
  } catch (error) {
    if (!(error instanceof ObjectStoreAway)) throw error;
    output.line(wordsOf(last));
    throw new OperatorError(`${error.message}. Begin again when it is there.`, { cause: error });
  }
  for (const name of last.damaged) output.line(`✗ ${name} is not what its SHA-256 says: not moved`);
  output.line(
    `${wordsOf(last)}; ${last.damaged.length === 0 ? 'all are there' : 'the rest is not'}`,
  );
  return last.damaged.length === 0 ? 0 : 1;
}

function wordsOf({ files, bytes }: MoveProgress): string {
  return `${files} files moved, ${(bytes / 1e6).toFixed(1)} MB`;
}
