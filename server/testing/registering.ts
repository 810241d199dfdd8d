import { setTimeout as sleep } from 'node:timers/promises';

import { openServer, type Db } from '../platform/db/database.ts';
import { runScript } from './script.ts';
import type { TestClient } from './client.ts';
import { createCustomer, invoiceBody } from './factories.ts';
import type { ProductProcess } from './process.ts';
import type { CaughtMail, MailServer } from './smtp-server.ts';
import { logIn, SECRET_KEY } from './stage.ts';
import { until } from './until.ts';

/** Companies logged in at once when many are made. */
const AT_ONCE = 8;
/** How long a caller waits before it tries again what was refused (milliseconds). */
const AFTER_REFUSAL = 100;
/** How long the last mail may take, with the jobs and leases that a failure leaves behind (milliseconds). */
const ALL_SENT_WITHIN = 120_000;

/** A company with one customer, who has an address that no other customer has. */
export interface Seller {
  readonly client: TestClient;
  readonly customerNumber: number;
  readonly buyer: string;
}

/** An invoice that a response named, or that the database has. */
export interface Numbered {
  readonly buyer: string;
  readonly uuid: string;
  readonly number: number;
}

/** Callers that register without end, whatever happens to the database. */
export interface Registering {
  /** The invoices that a success response named, oldest first. */
  readonly acknowledged: readonly Numbered[];
  /** The statuses of what was refused. */
  readonly refused: readonly number[];
  /** The longest response time; milliseconds. */
  readonly longestWait: () => number;
  /** Waits until so many more are acknowledged. */
  more(many: number, timeout?: number): Promise<void>;
  stop(): Promise<void>;
}

/** Creates companies through the API, as people do. */
export async function openSellers(
  product: ProductProcess,
  smtp: MailServer,
  many: number,
): Promise<Seller[]> {
  const sellers: Seller[] = [];
  let next = 0;
  const make = async () => {
    while (next < many) {
      next += 1;
      const buyer = `kunde${next}@example.no`;
      const client = await logIn(product, smtp, `eier${next}@example.no`);
      sellers.push({
        client,
        buyer,
        customerNumber: await createCustomer(client, { email: buyer }),
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, make));
  return sellers;
}

/** A call that was answered with success has a body. */
type Call = (client: TestClient, url: string, body?: object) => Promise<unknown>;

/** Lets callers register and mail invoices, of one company after the other. */
export function keepRegistering(sellers: readonly Seller[], callers: number): Registering {
  const acknowledged: Numbered[] = [];
  const refused: number[] = [];
  let [longest, turn] = [0, 0];
  const end = new AbortController();
  const call: Call = async (client, url, body) => {
    const since = performance.now();
    const answer = await client.post(url, body);
    longest = Math.max(longest, performance.now() - since);
    if (answer.status < 300) return answer.body as unknown;
    refused.push(answer.status);
    return sleep(AFTER_REFUSAL, undefined);
  };
  const work = async () => {
    while (!end.signal.aborted) {
      const seller = sellers[turn % sellers.length];
      turn += 1;
      const invoice = seller && (await registerOne(seller, call));
      if (invoice) acknowledged.push(invoice);
    }
  };
  const working = Promise.all(Array.from({ length: callers }, work));
  return {
    acknowledged,
    refused,
    longestWait: () => longest,
    more: async (many, timeout) => {
      const goal = acknowledged.length + many;
      const isReached = until(
        () => acknowledged.length,
        (now) => now >= goal,
        timeout,
      );
      await Promise.race([working, isReached]);
    },
    stop: async () => {
      end.abort();
      await working;
    },
  };
}

async function registerOne(
  { client, customerNumber, buyer }: Seller,
  call: Call,
): Promise<Numbered | undefined> {
  const body = invoiceBody([customerNumber], { delivery_type: 'EMAIL' });
  const drafts = (await call(client, '/api/invoices/create/', body)) as
    | { uuid: string }[]
    | undefined;
  const uuid = drafts?.[0]?.uuid;
  if (uuid === undefined) return undefined;
  const queued = (await call(client, `/api/invoices/queue/?invoice_uuid=${uuid}`)) as
    | { registered: { invoice_number: number }[] }
    | undefined;
  const number = queued?.registered[0]?.invoice_number;
  return number === undefined ? undefined : { buyer, uuid, number };
}

/** The damage after a failure; empty when there is none. */
export interface Harm {
  /** Acknowledged, but not there under its number. */
  readonly lost: readonly Numbered[];
  /** The output of the ledger check, when its exit code is not 0. */
  readonly ledger: string;
  /** Registered, but no mail came. */
  readonly unmailed: readonly string[];
  /** Mailed more than once, under different Message-IDs. */
  readonly doubled: readonly string[];
  /** Mailed, but not there. */
  readonly unknown: readonly string[];
}

export const NO_HARM: Harm = { lost: [], ledger: '', unmailed: [], doubled: [], unknown: [] };

/** Waits until every invoice is mailed, and holds what is there against what was acknowledged and mailed. */
export async function harmDone(
  databaseUrl: string,
  acknowledged: readonly Numbered[],
  mails: readonly CaughtMail[],
): Promise<Harm> {
  await withDatabase(databaseUrl, untilAllMailed);
  const registered = await withDatabase(databaseUrl, findRegistered);
  const mailed = messageIdsOf(mails);
  const ledger = await runScript(
    'scripts/operator.ts',
    { DATABASE_URL: databaseUrl, SECRET_KEY },
    'ledger',
    'check',
  );
  const known = new Set(registered.map(({ buyer, number }) => nameOf(buyer, number)));
  return {
    lost: lostOf(acknowledged, registered),
    ledger: ledger.code === 0 ? '' : ledger.output,
    unmailed: [...known].filter((name) => !mailed.has(name)),
    doubled: [...mailed].filter(([, ids]) => ids.size > 1).map(([name]) => name),
    unknown: [...mailed.keys()].filter((name) => !known.has(name)),
  };
}

/** The acknowledged invoices that are missing under their numbers, mailed or not. */
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

/** The Message-IDs under which each invoice came. */
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
