import type { TestClient } from './client.ts';
import { createCustomer, createGroup, invoiceBody } from './factories.ts';
import type { CaughtMail } from './mails.ts';
import { until } from './until.ts';

/** Sends invoices by the hundred, to a group whose members have addresses of their own. */
export async function createMembers(client: TestClient, many: number): Promise<string> {
  const numbers: number[] = [];
  for (let member = 1; member <= many; member += 1) {
    const email = `medlem${member}@example.no`;
    numbers.push(await createCustomer(client, { name: `Medlem ${member}`, email }));
  }
  return createGroup(client, numbers);
}

/** Makes an e-mail invoice for each member of a group, and registers them all. */
export async function sendToGroup(client: TestClient, groupUuid: string): Promise<void> {
  const drafts = await client.post(
    '/api/invoices/create/',
    invoiceBody([], { group_uuid: groupUuid, delivery_type: 'EMAIL' }),
  );
  if (drafts.status !== 201) throw new Error(`Drafts got ${drafts.status}: ${drafts.text}`);
  const queued = await client.post('/api/invoices/queue/');
  if (queued.status !== 200) throw new Error(`Queueing got ${queued.status}: ${queued.text}`);
}

/** Milliseconds between two looks at the progress: more would take what the mails need. */
const LOOK = 500;

/** The progress of sending a company's invoices. */
export interface Progress {
  readonly registered: number;
  readonly sent: number;
}

export async function progressOf(client: TestClient): Promise<Progress> {
  // The summary is of all invoices, and a list of the drafts is short.
  const answer = await client.get('/api/invoices/?status=DRAFT');
  return (answer.body as { summary: Progress }).summary;
}

/** Waits until all of so many registered invoices are sent. @param patience longest time without another one, in ms */
export async function untilAllSent(
  client: TestClient,
  many: number,
  patience?: number,
): Promise<void> {
  const isDone = ({ registered, sent }: Progress) => registered === many && sent === many;
  for (let last: Progress | undefined; !last || !isDone(last);) {
    const before = last?.sent ?? -1;
    last = await until(
      async () => progressOf(client),
      (now) => now.sent > before || isDone(now),
      patience,
      LOOK,
    );
  }
}

/** Counts of invoice mails in the mailboxes. */
export interface Tally {
  /** Invoices of which at least one mail arrived. */
  readonly invoices: number;
  /** Further mails of an invoice with the same Message-ID, which SMTP cannot rule out. */
  readonly repeated: number;
  /** Further mails of an invoice with another Message-ID, which must never happen. */
  readonly doubled: number;
}

/** Counts caught invoice mails by the number in their subject. */
export function tally(mails: readonly CaughtMail[]): Tally {
  const idsOf = new Map<string, string[]>();
  for (const { subject, messageId } of mails) {
    const number = /^Faktura (\d+)/.exec(subject)?.[1];
    if (number === undefined) continue;
    idsOf.set(number, [...(idsOf.get(number) ?? []), messageId]);
  }
  let repeated = 0;
  let doubled = 0;
  for (const ids of idsOf.values()) {
    const distinct = new Set(ids).size;
    doubled += distinct - 1;
    repeated += ids.length - distinct;
  }
  return { invoices: idsOf.size, repeated, doubled };
}
