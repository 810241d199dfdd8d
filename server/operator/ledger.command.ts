import { todayInOslo } from '../../domain/date.ts';
import { readableEmail } from '../../domain/email.ts';
import { listClosedBooks } from '../closing/closing.repository.ts';
import { hexOf } from '../platform/crypto.ts';
import type { Db } from '../platform/db/database.ts';
import { checkLedger } from '../document/ledger.service.ts';
import { ObjectStoreAway, type ObjectStore } from '../platform/object-store/object-store.ts';
import {
  OperatorError,
  readArguments,
  TEXT,
  readEmail,
  UsageError,
  type Command,
  type Output,
} from './command.ts';

export const ledgerCommand: Command = {
  usage: `npm run ledger -- check [--company EMAIL]

Checks for each company that numbers are unbroken, that sums and dates follow from the
lines, that what was registered and sent has not been changed since, and that the kept
counts are right. Ends with 0 when all is in order, and otherwise names the first fault
of each company and ends with 1. What is kept in S3 is read from there.`,

  async run(context, args, output) {
    const { words, options } = readArguments(args, { company: TEXT });
    if (words.length !== 1 || words[0] !== 'check') throw new UsageError('What to do?');
    const email = options.company === undefined ? null : readEmail(options.company);
    try {
      return await reportLedger(context, email, output);
    } catch (error) {
      if (!(error instanceof ObjectStoreAway)) throw error;
      throw new OperatorError(`${error.message}; ${error.advice}.`, { cause: error });
    }
  },
};

interface Books {
  readonly db: Db;
  /** Without it, documents stored there are skipped. */
  readonly objectStore?: ObjectStore;
}

/** Checks the ledger and prints the result. Returns the exit code. @throws OperatorError for an unknown address */
export async function reportLedger(
  { db, objectStore }: Books,
  email: string | null,
  output: Output,
): Promise<number> {
  let companies = 0;
  let documents = 0;
  let faults = 0;
  for await (const report of checkLedger(db, email, objectStore ?? null)) {
    companies += 1;
    documents += report.documents;
    if (report.fault !== null) {
      faults += 1;
      output.line(`✗ ${readableEmail(report.email)}: ${report.fault}`);
    } else if (report.documents > 0) {
      const range = `${report.firstNumber} to ${report.lastNumber}`;
      output.line(
        `✓ ${readableEmail(report.email)}: ${range}, ending in SHA-256 ${report.lastHash}`,
      );
    }
  }
  if (email === null) await listGaps(db, output);
  if (email !== null && companies === 0) throw new OperatorError(`No company of ${email}.`);
  const found = faults === 0 ? 'all in order' : `${faults} not in order`;
  output.line(`${companies} companies with ${documents} registered documents: ${found}`);
  return faults === 0 ? 0 : 1;
}

/** Names the series that are not here any more, because their company was closed (CLO-7). */
async function listGaps(db: Db, output: Output): Promise<void> {
  for (const gone of await listClosedBooks(db)) {
    const { companyUuid, deletedAt, firstNumber, lastNumber, lastHash } = gone;
    if (firstNumber === null || lastHash === null) continue;
    const day = todayInOslo(deletedAt);
    output.line(
      `– company ${companyUuid}: ${firstNumber} to ${lastNumber}, ending in SHA-256 ${hexOf(lastHash)}, deleted ${day} after it was closed`,
    );
  }
}
