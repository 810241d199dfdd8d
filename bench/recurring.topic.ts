import { setTimeout as sleep } from 'node:timers/promises';

import { todayInOslo } from '../domain/date.ts';
import type { Figure } from './figure.ts';
import type { Harness } from './harness.ts';
import { percentile } from './load.ts';
import { addMembers } from './members.ts';
import { Outbox } from './outbox.ts';
import { signUp, type Person } from './person.ts';
import { logIn, seedInvoices } from './seed.ts';

/** Between two looks of somebody who watches the list (milliseconds). */
const LOOK_EVERY = 100;
const IDLE_LOOKS = 100;
/** How far the run has got is asked at each of so many. */
const LOOKS_FOR_PROGRESS = 10;
/** What the other company has. */
const OTHER_DRAFTS = 20;
const SETTLING = 3000;
const TIMEOUT = 30 * 60_000;

type Call = (method: 'GET' | 'POST', path: string, body?: object) => Promise<unknown>;

/**
 * A standing assignment makes a draft for each member, and somebody of another company looks at their list
 * meanwhile. In that one are as many invoices as before, so that nothing but the run makes it slower.
 */
export async function measureRecurring(harness: Harness): Promise<Figure[]> {
  const members = harness.options.quick ? 1000 : 20_000;
  const url = await harness.newDatabase();
  const { companyId } = await seedInvoices(url, { invoices: 0 });
  const groupUuid = await addMembers(url, companyId, members);
  const folder = await harness.newFolder();
  const settings = { DATABASE_URL: url, DATA_DIR: folder, FEATURES: 'recurring' };
  const server = await harness.newServer(settings);
  const other = await openOther(server.origin, new Outbox(folder));
  const call = callerOf(server.origin, await logIn(url, server.origin));
  const uuid = await addAssignment(call, groupUuid);
  const times: number[] = [];
  let early = 0;
  let highest = 0;
  const began = performance.now();
  await call('POST', `/api/invoices/recurring/${uuid}/run/`);
  for (let looks = 0, made = 0; made < members; looks += 1) {
    await look(other, times);
    if (looks % LOOKS_FOR_PROGRESS === 0) made = await countMade(call);
    const memory = server.memory();
    if (made <= members / 10) early = Math.max(early, memory);
    highest = Math.max(highest, memory);
    if (performance.now() - began > TIMEOUT) throw new Error(`Only ${made} were made in time`);
    await sleep(LOOK_EVERY);
  }
  const seconds = (performance.now() - began) / 1000;
  await sleep(SETTLING);
  const idle: number[] = [];
  while (idle.length < IDLE_LOOKS) {
    await look(other, idle);
    await sleep(LOOK_EVERY);
  }
  return [
    { name: `make ${members} drafts of one period`, value: members / seconds, unit: '/s' },
    {
      name: 'p95 of another company’s list meanwhile',
      value: p95(times),
      unit: 'ms',
      peer: { name: 'idle', value: p95(idle) },
      target: { is: 'at most', bound: 1.5 },
    },
    {
      name: 'memory at its highest',
      value: highest / 2 ** 20,
      unit: 'MB',
      peer: { name: 'after a tenth', value: early / 2 ** 20 },
      target: { is: 'at most', bound: 1.5 },
    },
  ];
}

/** Adds an assignment whose period has begun, and returns its uuid. */
async function addAssignment(call: Call, groupUuid: string): Promise<string> {
  const { uuid } = (await call('POST', '/api/invoices/recurring/create/', {
    name: 'Kontingent',
    group_uuid: groupUuid,
    delivery_type: 'NONE',
    due_days: 14,
    invoice_lines: [
      {
        invoiced_quantity: 1,
        description: 'Kontingent {periode}',
        net_unit_amount: 500,
        vat_rate_percentage: 0,
      },
    ],
    interval: { unit: 'MONTH', count: 1 },
    day: 1,
    first_date: `${todayInOslo().slice(0, 8)}01`,
  })) as { uuid: string };
  return uuid;
}

function callerOf(origin: string, cookie: string): Call {
  return async (method, path, body) => {
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as unknown;
  };
}

/** Somebody with a list of their own. */
async function openOther(origin: string, outbox: Outbox): Promise<Person> {
  const person = await signUp(origin, outbox, 'kari@example.no');
  await person.call('POST', '/api/customers/create/', {
    name: 'Ørsta Båt AS',
    org_number: '974760673',
  });
  const draft = {
    customer_numbers: [1],
    delivery_type: 'NONE',
    issue_date: todayInOslo(),
    due_days: 14,
    invoice_lines: [
      {
        invoiced_quantity: 2,
        description: 'Time',
        net_unit_amount: 950,
        vat_rate_percentage: 25,
      },
    ],
  };
  for (let many = 0; many < OTHER_DRAFTS; many += 1) {
    await (await person.call('POST', '/api/invoices/create/', draft)).arrayBuffer();
  }
  return person;
}

/** Looks at the list; how long it took is added to the times. */
async function look(person: Person, times: number[]): Promise<void> {
  const began = performance.now();
  await (await person.call('GET', '/api/invoices/')).arrayBuffer();
  times.push(performance.now() - began);
}

async function countMade(call: Call): Promise<number> {
  const { summary } = (await call('GET', '/api/invoices/')) as { summary: { drafts: number } };
  return summary.drafts;
}

function p95(times: readonly number[]): number {
  return percentile(
    times.toSorted((left, right) => left - right),
    95,
  );
}
