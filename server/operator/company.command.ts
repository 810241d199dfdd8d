import { readableEmail } from '../../domain/email.ts';
import { printArchive } from '../export/archive/archive.ts';
import { importArchive } from '../export/archive/import.service.ts';
import { ArchiveError } from '../export/archive/manifest.ts';
import { ObjectStoreAway } from '../platform/object-store/object-store.ts';
import { companyOf } from './company-of.ts';
import {
  OperatorError,
  readArguments,
  refuseWords,
  UsageError,
  type Command,
  type OperatorContext,
  type Output,
} from './command.ts';

/** Moves a company between installations. */
export const companyCommand: Command = {
  usage: `npm run company -- export EMAIL FILE   everything of the company of this owner in a new file, a
                                       ZIP, while Faktur runs or not (--company UUID where the
                                       owner has several)
npm run company -- import FILE         put such a company into this installation, which must
                                       not have it

An import checks everything first: each file, the chain of hashes, the numbers. Then it writes
the company as a whole or not at all, and others who save meanwhile wait. Nothing is mailed.`,

  async run(context, args, output) {
    const { words, options } = readArguments(args, ['company']);
    const [action, ...rest] = words;
    if (action === 'export') return exportCompany(context, rest, options.company, output);
    if (action === 'import') return importCompany(context, rest, output);
    throw new UsageError(action === undefined ? 'What to do?' : `Unknown: ${action}`);
  },
};

/** The caller names the file and writes the bytes into it. */
async function exportCompany(
  context: OperatorContext,
  [word, , ...rest]: readonly string[],
  company: string | undefined,
  output: Output,
): Promise<number> {
  refuseWords(rest);
  const { companyId, email } = await companyOf(context.db, { word, company });
  try {
    for await (const part of printArchive(context, { companyId }, new Date())) {
      await output.bytes(part);
    }
  } catch (error) {
    if (!(error instanceof ObjectStoreAway)) throw error;
    throw new OperatorError(`${error.message}; ${error.advice}.`, { cause: error });
  }
  output.line(`${readableEmail(email)} was exported.`);
  return 0;
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
    const series = numbers.first === null ? '' : `, numbers ${numbers.first} to ${numbers.last}`;
    output.line(
      `${readableEmail(company.email)} is here: ${counts['invoice'] ?? 0} invoices and credit notes${series}.`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new OperatorError(error.message, { cause: error });
  }
}
