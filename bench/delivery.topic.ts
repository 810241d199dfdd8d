import { setTimeout as sleep } from 'node:timers/promises';

import { pino } from 'pino';

import { renderEhf } from '../server/document/ehf.ts';
import { createPdfRenderer, PDF_PROCESSES } from '../server/document/pdf/renderer.ts';
import { withClient } from '../server/testing/server-database.ts';
import { atLeast, atMost, beside, type Figure, figure } from './figure.ts';
import type { Harness, RunningServer } from './harness.ts';
import { percentile } from './load.ts';
import { ask, logIn, type Person } from './person.ts';
import { SAMPLE_LINES, sampleDocument } from './sample-invoices.ts';
import { seedInvoices } from './seed-companies.ts';
import { type Sink, startSink } from './smtp-sink.ts';

const RENDERED_ALONE = 600;
/** Time between two fetches of the list by a user who watches it (milliseconds). */
const LOOK_EVERY = 100;
const IDLE_LOOKS = 100;
const SETTLING = 3000;
const TIMEOUT = 30 * 60_000;

/** Sends invoices to ten thousand members by e-mail with PDF and EHF, while a user watches the list. */
export async function measureDelivery(harness: Harness): Promise<Figure[]> {
  const invoices = harness.options.quick ? 500 : 10_000;
  const rendering = await renderAlone();
  harness.say(`rendering alone: ${rendering.toFixed(0)}/s`);
  const run = await openRun(harness, invoices);
  await ask(run.person, 'POST', '/api/invoices/create/', groupInvoices(run.groupUuid));
  const began = performance.now();
  await ask(run.person, 'POST', '/api/invoices/queue/');
  const registered = performance.now();
  const { p95, early, highest } = await watch(run, invoices, harness);
  const rate = (invoices / (performance.now() - began)) * 1000;
  // The same invoices, while nothing is sent.
  await sleep(SETTLING);
  const idle = await look(run, IDLE_LOOKS);
  const mailed = await run.sink.count();
  harness.say(`registered in ${Math.round(registered - began)} ms, mailed ${mailed}`);
  const alone = beside('PDF and EHF', rendering);
  const megabytes = (bytes: number) => bytes / 2 ** 20;
  return [
    figure(`register and mail ${invoices} invoices with PDF and EHF`, rate, '/s', atLeast(60)),
    figure('the same, beside rendering alone', rate, '/s', alone, atLeast(0.5)),
    figure('p95 of the list meanwhile', p95, 'ms', beside('idle', idle), atMost(2)),
    figure(
      'memory at its highest',
      megabytes(highest),
      'MB',
      beside('after a tenth', megabytes(early)),
      atMost(1.5),
    ),
    figure('mails beyond one for each invoice', mailed - invoices, '', atMost(0)),
  ];
}

interface Run {
  readonly server: RunningServer;
  readonly sink: Sink;
  readonly person: Person;
  readonly groupUuid: string;
}

async function openRun(harness: Harness, members: number): Promise<Run> {
  const sink = await startSink(harness);
  const url = await harness.newDatabase();
  const companyId = await seedInvoices(url, 0);
  const groupUuid = await addMembers(url, companyId, members);
  const server = await harness.newServer({
    DATABASE_URL: url,
    SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
  });
  return { server, sink, groupUuid, person: await logIn(url, server.origin) };
}

function groupInvoices(groupUuid: string) {
  return {
    group_uuid: groupUuid,
    customer_numbers: [],
    delivery_type: 'EMAIL',
    issue_date: '2026-11-01',
    due_days: 14,
    invoice_lines: SAMPLE_LINES,
  };
}

interface Look {
  readonly milliseconds: number;
  readonly sent: number;
}

async function lookOnce({ person }: Run): Promise<Look> {
  const began = performance.now();
  const page = await ask<{ summary: { sent: number } }>(person, 'GET', '/api/invoices/');
  return { milliseconds: performance.now() - began, sent: page.summary.sent };
}

/** p95 of this many fetches, as frequent as during sending: less frequent ones would find cold caches. */
async function look(run: Run, looks: number): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < looks; index += 1) {
    times.push((await lookOnce(run)).milliseconds);
    await sleep(LOOK_EVERY);
  }
  return percentile(times, 95);
}

async function watch(run: Run, invoices: number, harness: Harness) {
  const times: number[] = [];
  let early = 0;
  let highest = 0;
  let lastSaid = performance.now();
  const deadline = performance.now() + TIMEOUT;
  for (;;) {
    const { milliseconds, sent } = await lookOnce(run);
    times.push(milliseconds);
    const memory = run.server.memory();
    if (sent <= invoices / 10) early = Math.max(early, memory);
    highest = Math.max(highest, memory);
    if (sent >= invoices) break;
    if (performance.now() > deadline) throw new Error(`Only ${sent} were sent in time`);
    if (performance.now() - lastSaid > 10_000) {
      lastSaid = performance.now();
      harness.say(`${sent} sent, ${Math.round(memory / 2 ** 20)} MB`);
    }
    await sleep(LOOK_EVERY);
  }
  return { p95: percentile(times, 95), early, highest };
}

/** PDFs and EHFs per second by as many processes when nothing else runs. */
async function renderAlone(): Promise<number> {
  const renderer = createPdfRenderer({ log: pino({ level: 'silent' }) });
  try {
    const render = async (invoiceNumber: number) => {
      const document = sampleDocument(invoiceNumber);
      await renderer.render({ document, stamp: null, xml: renderEhf(document), logo: null });
    };
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(render));
    const began = performance.now();
    let next = 0;
    const caller = async () => {
      while (next < RENDERED_ALONE) await render(++next);
    };
    await Promise.all(Array.from({ length: PDF_PROCESSES * 4 }, caller));
    return (RENDERED_ALONE / (performance.now() - began)) * 1000;
  } finally {
    await renderer.close();
  }
}

/** Makes a group of new customers, each with an e-mail address; returns its uuid. */
async function addMembers(url: string, companyId: number, many: number): Promise<string> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ uuid: string }>(
      `WITH members AS (
         INSERT INTO customer (company_id, customer_number, name, email, org_number, address1,
           postal_code, city, search_text)
         SELECT $1, 100000 + number, 'Medlem ' || number, 'medlem' || number || '@example.no',
           '987654325', 'Storgata ' || number, '0155', 'Oslo', ' medlem ' || number
         FROM generate_series(1, $2::integer) AS number RETURNING id
       ), made AS (
         INSERT INTO customer_group (company_id, group_name, search_text)
         VALUES ($1, 'Alle', ' alle') RETURNING id, uuid
       ), joined AS (
         INSERT INTO customer_group_member (company_id, group_id, customer_id)
         SELECT $1, made.id, members.id FROM made, members
       )
       SELECT uuid FROM made`,
      [companyId, many],
    );
    await client.query('ANALYZE');
    return rows[0]?.uuid ?? '';
  });
}
