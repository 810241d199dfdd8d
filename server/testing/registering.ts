import { setTimeout as sleep } from 'node:timers/promises';

import type { TestClient } from './client.ts';
import { createCustomer, invoiceBody } from './factories.ts';
import type { MailServer } from './smtp-server.ts';
import { logIn, type Product } from './stage.ts';
import { until } from './until.ts';

/** The number of companies logged in concurrently. */
const AT_ONCE = 8;
/** The delay before a refused call is repeated (milliseconds). */
const AFTER_REFUSAL = 100;

/** A company with one customer, whose e-mail address is unique. */
export interface Seller {
  readonly client: TestClient;
  readonly customerNumber: number;
  readonly buyer: string;
}

/** An invoice from a response or from the database. */
export interface Numbered {
  readonly buyer: string;
  readonly uuid: string;
  readonly number: number;
}

/** Clients that keep registering invoices, also during failures of the database. */
export interface Registering {
  /** The invoices in successful responses, oldest first. */
  readonly acknowledged: readonly Numbered[];
  /** The statuses of refused calls. */
  readonly refused: readonly number[];
  /** The longest response time; milliseconds. */
  readonly longestWait: () => number;
  /** Waits until this many more invoices are acknowledged. */
  more(many: number, timeout?: number): Promise<void>;
  stop(): Promise<void>;
}

/** Creates companies through the API. */
export async function openSellers(
  product: Product,
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

/** Makes a call and resolves to the body; to undefined, after a delay, when it is refused. */
type Call = (client: TestClient, url: string, body?: object) => Promise<unknown>;

/** Starts clients that register and mail invoices, taking the companies in turn. */
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
