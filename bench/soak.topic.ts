import { setTimeout as sleep } from 'node:timers/promises';

import type { Figure } from './figure.ts';
import { percentile } from './load.ts';
import { Outbox } from './outbox.ts';
import { signUp, type Person } from './person.ts';
import type { Harness } from './harness.ts';

const PEOPLE = 200;
const MINUTES = 3;
/** People look at what they see before they go on (milliseconds). */
const THINKING = { least: 200, most: 1800 };
const SAMPLE_EVERY = 5000;

/** What happened while everybody was at it. */
interface Log {
  readonly times: number[];
  readonly errors: string[];
  readonly memory: number[];
}

/** Two hundred people who do the whole journey at once, over and over, on one server. */
export async function measureSoak(harness: Harness): Promise<Figure[]> {
  const { quick } = harness.options;
  const people = quick ? 20 : PEOPLE;
  const duration = (quick ? 0.2 : MINUTES) * 60_000;
  const folder = await harness.newFolder();
  const server = await harness.newServer({
    DATABASE_URL: await harness.newDatabase(),
    DATA_DIR: folder,
  });
  const log: Log = { times: [], errors: [], memory: [] };
  const outbox = new Outbox(folder);
  const sampler = setInterval(() => log.memory.push(server.memory()), SAMPLE_EVERY);
  harness.defer(() => clearInterval(sampler));
  harness.say(`${people} people for ${duration / 60_000} minutes`);
  const end = Date.now() + duration;
  await Promise.all(
    Array.from({ length: people }, async (_, index) =>
      live(server.origin, outbox, { index, end, log }),
    ),
  );
  for (const error of new Set(log.errors)) harness.say(error);
  return figuresOf(log, duration);
}

interface Life {
  readonly index: number;
  readonly end: number;
  readonly log: Log;
}

async function live(origin: string, outbox: Outbox, { index, end, log }: Life): Promise<void> {
  await sleep((index * 10_000) / PEOPLE);
  for (let round = 0; Date.now() < end; round += 1) {
    try {
      const person = await signUp(origin, outbox, `person${index}@${round}.example.no`);
      await journey(observed(person, log), () => Date.now() < end);
    } catch (error) {
      log.errors.push(String(error));
      await sleep(THINKING.most);
    }
  }
}

/** Times every call and reads its answer to the end. */
function observed(person: Person, log: Log) {
  return async <T>(method: string, path: string, body?: object): Promise<T> => {
    await sleep(THINKING.least + Math.random() * (THINKING.most - THINKING.least));
    const began = performance.now();
    const answer = await person.call(method, path, body);
    const content = await answer.arrayBuffer();
    log.times.push(performance.now() - began);
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
    return (isJson ? JSON.parse(new TextDecoder().decode(content)) : undefined) as T;
  };
}

type Call = ReturnType<typeof observed>;

/** A customer, an invoice, registered, mailed, printed, paid, credited; then looking around. */
async function journey(call: Call, hasTime: () => boolean): Promise<void> {
  const { customer_number } = await call<{ customer_number: number }>(
    'POST',
    '/api/customers/create/',
    { name: 'Ørsta Båt AS', email: 'kunde@example.no', org_number: '974760673' },
  );
  for (let turn = 0; turn < 5 && hasTime(); turn += 1) {
    const [draft] = await call<{ uuid: string }[]>('POST', '/api/invoices/create/', {
      customer_numbers: [customer_number],
      delivery_type: turn % 2 === 0 ? 'EMAIL' : 'NONE',
      issue_date: '2026-11-21',
      due_days: 14,
      invoice_lines: LINES,
    });
    const uuid = draft?.uuid ?? '';
    await call('GET', '/api/invoices/');
    await call('POST', `/api/invoices/queue/?invoice_uuid=${uuid}`);
    await call('GET', `/api/invoices/${uuid}/`);
    await call('GET', `/invoices/${uuid}/pdf/`);
    await call('GET', `/api/invoices/${uuid}/efaktura/`);
    await call('POST', `/api/invoices/${uuid}/update/`, { status: 'PAID' });
    await call('GET', '/api/invoices/?query=%C3%B8rsta');
    await call('GET', '/api/customers/search/?query=b%C3%A5t&size=4');
  }
  await call('GET', '/api/users/logout/');
}

const LINES = [
  {
    invoiced_quantity: 2,
    description: 'Reparasjon',
    net_unit_amount: 1250,
    vat_rate_percentage: 25,
  },
  { invoiced_quantity: 3, description: 'Mat', net_unit_amount: 149.9, vat_rate_percentage: 15 },
];

function figuresOf({ times, errors, memory }: Log, duration: number): Figure[] {
  const sorted = times.toSorted((left, right) => left - right);
  // The first third warms everything up; after that the memory must not grow.
  const warm = memory.slice(Math.floor(memory.length / 3));
  const half = Math.floor(warm.length / 2);
  return [
    {
      name: 'errors',
      value: errors.length,
      unit: '',
      target: { is: 'at most', bound: 0 },
    },
    { name: 'calls', value: (times.length / duration) * 1000, unit: '/s' },
    { name: '50 % within', value: percentile(sorted, 50), unit: 'ms' },
    { name: '95 % within', value: percentile(sorted, 95), unit: 'ms' },
    { name: '99 % within', value: percentile(sorted, 99), unit: 'ms' },
    {
      name: 'memory, last third',
      value: mean(warm.slice(half)) / 1e6,
      unit: 'MB',
      peer: { name: 'middle third', value: mean(warm.slice(0, half)) / 1e6 },
      target: { is: 'at most', bound: 1.1 },
    },
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
