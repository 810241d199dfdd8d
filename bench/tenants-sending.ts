import { setTimeout as sleep } from 'node:timers/promises';

import { SAMPLE_LINES } from './sample-invoices.ts';
import type { Figure } from './figure.ts';
import type { Harness } from './harness.ts';
import { percentile, timed } from './load.ts';
import type { Installation, Visitor } from './installation.ts';
import { callApi } from './person.ts';

/** Number of companies that make, register and send an invoice, one after the other and at once. */
const SENDERS = 200;
/** Interval between two counts of the mail server's mails (milliseconds). */
const LOOK_EVERY = 20;
const TIMEOUT = 5 * 60_000;
const SETTLING = 3000;

/** Durations in one installation (milliseconds). */
interface Taken {
  readonly make: readonly number[];
  readonly register: readonly number[];
  readonly registerAtOnce: readonly number[];
  /** From the first concurrent call to the last mail. */
  readonly mailed: number;
}

/** Making, registering and mailing by 200 of many companies, and as often by an only company. */
export async function measureSending(
  harness: Harness,
  many: Installation,
  alone: Installation,
): Promise<{ figures: Figure[]; sent: number }> {
  const taken = await send(many);
  harness.say('sent among many');
  const takenAlone = await send(alone);
  harness.say('sent alone');
  const p95 = (times: readonly number[]) => percentile(times, 95);
  const figure = (name: string, value: number, peer: number): Figure => ({
    name,
    value,
    unit: 'ms',
    peer: { name: 'alone', value: peer },
    target: { is: 'at most', bound: 1.5 },
  });
  const within = (name: string, of: 'make' | 'register') =>
    figure(`${name}, 95 % within`, p95(taken[of]), p95(takenAlone[of]));
  return {
    sent: 2 * SENDERS,
    figures: [
      within('make a draft', 'make'),
      within('register and send', 'register'),
      {
        name: `register and send, ${SENDERS} companies at once, 95 % within`,
        value: p95(taken.registerAtOnce),
        unit: 'ms',
      },
      figure(
        `until these ${SENDERS} are mailed, beside as many of one company`,
        taken.mailed,
        takenAlone.mailed,
      ),
    ],
  };
}

async function send(installation: Installation): Promise<Taken> {
  const { visitors } = installation;
  const senders = Array.from({ length: SENDERS }, (_, index) => visitors[index % visitors.length]);
  const make: number[] = [];
  const register: number[] = [];
  for (const sender of senders) {
    let uuid = '';
    make.push(await timed(async () => (uuid = await makeDraft(installation, sender))));
    register.push(await timed(async () => queue(installation, sender, uuid)));
  }
  await untilMailed(installation, SENDERS);
  const drafts: string[] = [];
  for (const sender of senders) drafts.push(await makeDraft(installation, sender));
  await sleep(SETTLING);
  const registerAtOnce: number[] = [];
  const began = performance.now();
  if (visitors.length === 1) {
    // A company's registrations wait for each other, so each company makes only one.
    await post(installation, senders[0], '/api/invoices/queue/');
  } else {
    await Promise.all(
      senders.map(async (sender, index) =>
        registerAtOnce.push(
          await timed(async () => queue(installation, sender, drafts[index] ?? '')),
        ),
      ),
    );
  }
  await untilMailed(installation, 2 * SENDERS);
  return { make, register, registerAtOnce, mailed: performance.now() - began };
}

async function makeDraft(installation: Installation, sender?: Visitor): Promise<string> {
  const [draft] = (await post(installation, sender, '/api/invoices/create/', {
    customer_numbers: [1],
    delivery_type: 'EMAIL',
    issue_date: '2026-11-01',
    due_days: 14,
    invoice_lines: SAMPLE_LINES,
  })) as { uuid: string }[];
  return draft?.uuid ?? '';
}

async function queue(installation: Installation, sender: Visitor | undefined, uuid: string) {
  const answer = await post(installation, sender, `/api/invoices/queue/?invoice_uuid=${uuid}`);
  const { registered } = answer as { registered: unknown[] };
  if (registered.length !== 1) throw new Error('A draft was not registered');
}

async function post(
  { server }: Installation,
  sender: Visitor | undefined,
  path: string,
  body?: object,
): Promise<unknown> {
  const answer = await callApi(server.origin, sender?.cookie ?? '', ['POST', path, body]);
  return answer.json();
}

async function untilMailed({ sink }: Installation, many: number): Promise<void> {
  const deadline = performance.now() + TIMEOUT;
  for (;;) {
    const mailed = await sink.count();
    if (mailed >= many) return;
    if (performance.now() > deadline) throw new Error(`Only ${mailed} of ${many} were mailed`);
    await sleep(LOOK_EVERY);
  }
}
