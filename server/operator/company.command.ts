import { readableEmail } from '../../domain/email.ts';
import { createPdfRenderer } from '../document/pdf/renderer.ts';
import { printAllMissing, printArchive, withAllPrinted } from '../export/archive/archive.ts';
import { importArchive } from '../export/archive/import.service.ts';
import { ArchiveError } from '../export/archive/manifest.ts';
import { ObjectStoreAway } from '../platform/object-store/object-store.ts';
import { createLog } from '../platform/log/log.ts';
import { keepUntil, listClosed, reopenCompany } from './closed-companies.ts';
import { companyOf } from './company-of.ts';
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

/** Moves a company between installations, and shows those that were closed. */
export const companyCommand: Command = {
  usage: `npm run company -- export EMAIL FILE   everything of the company of this owner in a new file, a
                                       ZIP, while Faktur runs or not (--company UUID where the
                                       owner has several)
npm run company -- import FILE         put such a company into this installation, which must
                                       not have it
npm run company -- closing             the companies that their owners closed, with what is
                                       deleted when
npm run company -- reopen UUID         open one of them again, until anything was deleted
npm run company -- keep-until UUID DATE
                                       keep its books for longer, because its financial year is
                                       not the calendar year

An import checks everything first: each file, the chain of hashes, the numbers. Then it writes
the company as a whole or not at all, and others who save meanwhile wait. Nothing is mailed.`,

  async run(context, args, output) {
    const { words, options } = readArguments(args, { company: TEXT });
    const [action, ...rest] = words;
    if (action === 'export') return exportCompany(context, rest, options.company, output);
    if (action === 'import') return importCompany(context, rest, output);
    if (action === 'closing') return listClosed(context, rest, output);
    if (action === 'reopen') return reopenCompany(context, rest, output);
    if (action === 'keep-until') return keepUntil(context, rest, output);
    throw new UsageError(action === undefined ? 'What to do?' : `Unknown: ${action}`);
  },
};

const NO_BYTES = new Uint8Array(0);

/** The caller names the file and writes the bytes into it. */
async function exportCompany(
  context: OperatorContext,
  [word, , ...rest]: readonly string[],
  company: string | undefined,
  output: Output,
): Promise<number> {
  refuseWords(rest);
  const { companyId, email } = await companyOf(context.db, { word, company });
  const pdf = createPdfRenderer({ log: createLog(context.config) });
  try {
    await withAllPrinted(
      async () => lastOf(printAllMissing({ ...context, pdf }, companyId), output),
      async (printedTo) => {
        for await (const part of printArchive(context, { companyId, printedTo }, new Date())) {
          await output.bytes(part);
        }
      },
    );
  } catch (error) {
    if (!(error instanceof ObjectStoreAway)) throw error;
    throw new OperatorError(`${error.message}; ${error.advice}.`, { cause: error });
  } finally {
    await pdf.close();
  }
  output.line(`${readableEmail(email)} was exported.`);
  return 0;
}

/** The last of the documents that were printed; 0 when there is none. */
async function lastOf(
  printed: AsyncIterable<{ readonly id: number }>,
  output: Output,
): Promise<number> {
  let last = 0;
  for await (const { id } of printed) {
    last = id;
    // Throws when nobody waits for the file any more.
    await output.bytes(NO_BYTES);
  }
  return last;
}

/** @param words the path of the file, absolute */
async function importCompany(
  { db }: OperatorContext,
  [file, ...rest]: readonly string[],
  output: Output,
): Promise<number> {
  refuseWords(rest);
  if (file === undefined) throw new UsageError('Which file?');
  try {
    const { company, counts, numbers } = await importArchive(db, file, (text) => output.line(text));
    const { first, last } = numbers;
    // The numbers have no gaps (EXP-46).
    const registered = first === null || last === null ? 0 : last - first + 1;
    const series = first === null ? '' : `, numbers ${first} to ${last}`;
    const drafts = (counts['invoice'] ?? 0) - registered;
    output.line(
      `${readableEmail(company.email)} is here: ${registered} invoices and credit notes${series}; ${drafts} drafts.`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new OperatorError(error.message, { cause: error });
  }
}
