import {
  ENTRIES_PER_PAGE,
  type BankEntry,
  type BankEntryPage,
  type BankFile,
  type BankFileBrief,
  type EntryListQuery,
  type FileQuery,
} from '../../../domain/bank-file/bank-file.schema.ts';
import { hasCheckDigit, type KidModulus } from '../../../domain/kid.ts';
import { ore, oreToKroner } from '../../../domain/money.ts';
import type { KidAgreement } from '../../../domain/profile/kid-agreement.schema.ts';
import { findKidAgreement } from '../../company/profile.service.ts';
import type { Actor, Context } from '../../context.ts';
import {
  countOpenByAccount,
  findNamed,
  type NamedInvoice,
} from '../../invoice/invoice-payable.repository.ts';
import type { Db } from '../../platform/db/database.ts';
import { pagesBeside } from '../../platform/http/paging.ts';
import { Streamed, streamList, streamWith } from '../../platform/http/streamed.ts';
import { countToPlace, findShown, type ShownEntry } from './bank-entry.repository.ts';
import type { FileRow } from './bank-file.repository.ts';
import * as repository from './bank-file.repository.ts';

/** Files or entries per part of a streamed answer. */
const FILES_AT_ONCE = 100;
const ENTRIES_AT_ONCE = 500;

/** The accounts named on open invoices, with the number of those invoices. */
export async function listOpenAccounts(
  { db }: Context,
  { companyId }: Actor,
): ReturnType<typeof countOpenByAccount> {
  return countOpenByAccount(db, companyId);
}

/** The files of a company, the latest first. */
export async function listFiles(
  { db }: Context,
  { companyId }: Actor,
): Promise<Streamed<BankFileBrief[]>> {
  const read = async (before: number | null) =>
    repository.findFiles(db, companyId, { before, limit: FILES_AT_ONCE });
  const first = await read(null);
  let last = first.at(-1);
  return streamList(first.map(toBrief), async () => {
    const next = last ? await read(last.id) : [];
    last = next.at(-1);
    return next.map(toBrief);
  });
}

/** A file with all its entries. @throws AppError not_found */
export async function getFile(
  { db }: Context,
  { companyId }: Actor,
  uuid: string,
  query: FileQuery,
): Promise<Streamed<BankFile>> {
  return presentFile(db, companyId, await repository.requireFile(db, companyId, uuid), query);
}

/** A file as the API shows it, with its entries on request. */
export async function presentFile(
  db: Db,
  companyId: number,
  file: FileRow,
  { entries: isWhole, isOld = false }: FileQuery & { readonly isOld?: boolean },
): Promise<Streamed<BankFile>> {
  const read = async (after: number) =>
    isWhole ? findShown(db, companyId, file.id, { after, limit: ENTRIES_AT_ONCE }) : [];
  const first = await read(0);
  let last = first.at(-1);
  const entries = streamList(await present(db, companyId, first), async () => {
    const next = last ? await read(last.position) : [];
    last = next.at(-1);
    return present(db, companyId, next);
  });
  const shown = { ...toBrief(file), toPlace: await countToPlace(db, companyId, file.id) };
  return new Streamed(streamWith<BankFile, 'entries'>(shown, 'entries', entries).chunks, isOld);
}

/** A page of a file's entries. @throws AppError not_found */
export async function listEntries(
  { db }: Context,
  { companyId }: Actor,
  uuid: string,
  { page, outcome }: EntryListQuery,
): Promise<BankEntryPage> {
  const file = await repository.requireFile(db, companyId, uuid);
  const count = file.outcomes
    .filter((sum) => outcome === undefined || sum.outcome === outcome)
    .reduce((total, sum) => total + sum.count, 0);
  const rows = await findShown(db, companyId, file.id, {
    outcome,
    limit: ENTRIES_PER_PAGE,
    offset: (page - 1) * ENTRIES_PER_PAGE,
  });
  const path = `/api/payments/files/${uuid}/entries/`;
  return {
    count,
    ...pagesBeside(path, { page, outcome }, { count, size: ENTRIES_PER_PAGE }),
    results: await present(db, companyId, rows),
  };
}

function toBrief(file: FileRow): BankFileBrief {
  const shown = file.outcomes.reduce((total, { count }) => total + count, 0);
  return {
    uuid: file.uuid,
    name: file.name,
    format: file.format,
    accounts: file.accounts,
    from: file.fromDate,
    to: file.toDate,
    count: shown,
    sum: oreToKroner(ore(file.outcomes.reduce((total, { sum }) => total + sum, 0))),
    ignored: file.ignored + file.count - shown,
    // INCOMPLETE is internal: the API does not show it.
    state: file.state === 'INCOMPLETE' ? 'PREVIEW' : file.state,
    progress: progressOf(file),
    bookedCount: file.bookedCount,
    outcomes: file.outcomes.map(({ outcome, count, sum }) => ({
      outcome,
      count,
      sum: oreToKroner(sum),
    })),
    createdAt: file.createdAt.toISOString(),
    bookedAt: file.bookedAt?.toISOString() ?? null,
  };
}

/** The share of a file that a job has booked or undone; null when no job runs. */
function progressOf({ state, doneThrough, count }: FileRow): number | null {
  if (state === 'BOOKING') return doneThrough / Math.max(count, 1);
  return state === 'UNDOING' ? (count - doneThrough) / Math.max(count, 1) : null;
}

async function present(
  db: Db,
  companyId: number,
  entries: readonly ShownEntry[],
): Promise<BankEntry[]> {
  const ids = entries.flatMap(({ invoiceId, placements, suggestion }) => [
    ...(invoiceId === null ? [] : [invoiceId]),
    ...(placements ?? []).map((placement) => placement.invoiceId),
    ...(suggestion?.invoiceIds ?? []),
  ]);
  const named = ids.length === 0 ? [] : await findNamed(db, companyId, [...new Set(ids)]);
  const invoices = new Map(named.map((invoice) => [invoice.id, invoice]));
  const agreement = await findKidAgreement(db, companyId);
  return entries.map((entry) => toEntry(entry, invoices, agreement));
}

function toEntry(
  entry: ShownEntry,
  invoices: ReadonlyMap<number, NamedInvoice>,
  agreement: KidAgreement | null,
): BankEntry {
  const { uuid: entryUuid, date, amount, account, kid, text, payer, outcome } = entry;
  const { invoiceId, placements, suggestion } = entry;
  return {
    uuid: entryUuid,
    date,
    amount: oreToKroner(amount),
    account,
    kid,
    kidIsWrong: isKidWrong(entry, agreement),
    text,
    payer,
    outcome,
    invoiceNumber: (invoiceId === null ? null : invoices.get(invoiceId)?.invoiceNumber) ?? null,
    placements: (placements ?? []).flatMap((placement) => {
      const invoice = invoices.get(placement.invoiceId);
      if (!invoice) return [];
      const { uuid, invoiceNumber } = invoice;
      return [{ uuid, invoiceNumber, amount: oreToKroner(placement.amount) }];
    }),
    suggestion: suggestion && {
      reason: suggestion.reason,
      invoices: suggestion.invoiceIds.flatMap((id) => {
        const invoice = invoices.get(id);
        if (!invoice) return [];
        const { uuid, invoiceNumber, amountDue } = invoice;
        return [{ uuid, invoiceNumber, amountDue: oreToKroner(amountDue) }];
      }),
    },
  };
}

/** The modulus of KIDs made without an agreement. */
const MODULUS: KidModulus = 'MOD10';

/**
 * Whether the check digit shows that the KID of an entry is mistyped. The KID of an existing invoice is always
 * right: it may come from an earlier agreement.
 */
function isKidWrong(entry: ShownEntry, agreement: KidAgreement | null): boolean {
  const { kid, account } = entry;
  if (kid === null || isOfInvoice(entry)) return false;
  const modulus = agreement?.account === account ? agreement.modulus : MODULUS;
  return !hasCheckDigit(kid, modulus);
}

function isOfInvoice({ outcome, invoiceId, suggestion }: ShownEntry): boolean {
  if (outcome === 'UNPLACED') return false;
  if (outcome === 'SUGGESTED') return suggestion?.reason === 'KID';
  return outcome === 'KNOWN' || invoiceId !== null;
}
