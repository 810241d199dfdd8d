import { checkLedger } from '../document/ledger.service.ts';
import { openServer, type Db } from '../platform/db/database.ts';
import type { CaughtMail } from './mails.ts';
import type { Numbered } from './registering.ts';
import { until } from './until.ts';

/** Milliseconds until the last mail must arrive, with the jobs and leases that a failure leaves behind. */
const ALL_SENT_WITHIN = 120_000;

/** The damage after a failure; empty when there is none. */
export interface Harm {
  /** Invoices that were acknowledged but do not exist under their number. */
  readonly lost: readonly Numbered[];
  /** The companies whose books the ledger check finds at fault. */
  readonly ledger: readonly object[];
  /** Registered invoices without a mail. */
  readonly unmailed: readonly string[];
  /** Invoices mailed more than once under different Message-IDs. */
  readonly doubled: readonly string[];
  /** Mailed invoices that do not exist. */
  readonly unknown: readonly string[];
}

export const NO_HARM: Harm = { lost: [], ledger: [], unmailed: [], doubled: [], unknown: [] };

/** Waits until every invoice is mailed, and compares the database with the acknowledged and mailed invoices. */
export async function harmDone(
  databaseUrl: string,
  acknowledged: readonly Numbered[],
  mails: readonly CaughtMail[],
): Promise<Harm> {
  await withDatabase(databaseUrl, untilAllMailed);
  const registered = await withDatabase(databaseUrl, findRegistered);
  const mailed = messageIdsOf(mails);
  const books = await withDatabase(databaseUrl, async (db) => Array.fromAsync(checkLedger(db)));
  const known = new Set(registered.map(({ buyer, number }) => nameOf(buyer, number)));
  return {
    lost: lostOf(acknowledged, registered),
    ledger: books.filter(({ fault }) => fault !== null),
    unmailed: [...known].filter((name) => !mailed.has(name)),
    doubled: [...mailed].filter(([, ids]) => ids.size > 1).map(([name]) => name),
    unknown: [...mailed.keys()].filter((name) => !known.has(name)),
  };
}

/** The acknowledged invoices that do not exist under their numbers. */
export async function findLost(
  databaseUrl: string,
  acknowledged: readonly Numbered[],
): Promise<readonly Numbered[]> {
  return lostOf(acknowledged, await withDatabase(databaseUrl, findRegistered));
}

function lostOf(
  acknowledged: readonly Numbered[],
  registered: readonly Numbered[],
): readonly Numbered[] {
  const numbers = new Map(registered.map(({ uuid, number }) => [uuid, number]));
  return acknowledged.filter(({ uuid, number }) => numbers.get(uuid) !== number);
}

function nameOf(buyer: string, number: number): string {
  return `${buyer} ${number}`;
}

function messageIdsOf(mails: readonly CaughtMail[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { to, subject, messageId } of mails) {
    const number = /^Faktura (\d+)/.exec(subject)?.[1];
    if (number === undefined) continue;
    const name = nameOf(to[0] ?? '', Number(number));
    found.set(name, (found.get(name) ?? new Set()).add(messageId));
  }
  return found;
}

async function untilAllMailed(db: Db): Promise<void> {
  await until(
    async () =>
      selectRegistered(db)
        .select(['invoice.uuid', 'delivery.status', 'delivery.waitingReason'])
        .where('delivery.status', 'is distinct from', 'SENT')
        .limit(5)
        .execute(),
    (waiting) => waiting.length === 0,
    ALL_SENT_WITHIN,
  );
}

async function findRegistered(db: Db): Promise<Numbered[]> {
  const invoices = await selectRegistered(db)
    .select(['invoice.uuid', 'invoice.invoiceNumber', 'delivery.recipient'])
    .execute();
  return invoices.map(({ uuid, invoiceNumber, recipient }) => ({
    uuid,
    buyer: recipient ?? '',
    number: Number(invoiceNumber),
  }));
}

function selectRegistered(db: Db) {
  return db
    .selectFrom('invoice')
    .leftJoin('delivery', 'delivery.invoiceId', 'invoice.id')
    .where('invoice.invoiceNumber', 'is not', null);
}

async function withDatabase<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const database = openServer(url, () => undefined);
  try {
    return await work(database.db);
  } finally {
    await database.close();
  }
}
