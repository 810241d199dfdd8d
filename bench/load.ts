import { setTimeout as sleep } from 'node:timers/promises';

import autocannon, {
  type Options as AutocannonOptions,
  type Request,
  type Result,
} from 'autocannon';

import type { Person } from './person.ts';

/** The rate, and the duration of single runs. */
export interface Pace {
  /** Per second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
}

/** Callers at once, over HTTP and in the database alike. */
export const CALLERS = 8;

interface HttpLoad {
  readonly person: Person;
  readonly path: string;
  readonly seconds: number;
  readonly method?: 'GET' | 'POST';
  readonly body?: object;
  /** Changes each request before it is sent. */
  readonly prepare?: (request: Request) => Request;
  /** Ends earlier, after this many answers. */
  readonly amount?: number;
}

/** Calls one path repeatedly. @throws Error unless every answer is a success */
export async function measureHttp(load: HttpLoad): Promise<Pace> {
  const times: number[] = [];
  const began = performance.now();
  // autocannon checks only once a second whether it has its number of answers.
  let ended = began;
  const result = await new Promise<Result>((resolve, reject) => {
    const run = autocannon(toOptions(load), (error: Error | null, outcome: Result) => {
      if (error) reject(error);
      else resolve(outcome);
    });
    run.on('response', (_client, _status, _bytes, time) => {
      times.push(time);
      ended = performance.now();
    });
  });
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${load.path}: ${result.errors} errors, ${result.non2xx} refusals`);
  }
  return toPace(times, ended - began);
}

function toOptions(load: HttpLoad): AutocannonOptions {
  return {
    url: load.person.origin + load.path,
    connections: CALLERS,
    ...(load.amount === undefined ? { duration: load.seconds } : { amount: load.amount }),
    method: load.method ?? 'GET',
    headers: {
      cookie: load.person.cookie,
      ...(load.body && { 'content-type': 'application/json' }),
    },
    ...(load.body && { body: JSON.stringify(load.body) }),
    ...(load.prepare && { requests: [{ setupRequest: load.prepare }] }),
  };
}

/** Runs something repeatedly with this many at once. */
export async function measureCalls(
  seconds: number,
  call: () => Promise<unknown>,
  callers: number = CALLERS,
): Promise<Pace> {
  const end = performance.now() + seconds * 1000;
  return timeCalls(callers, () => (performance.now() < end ? call : undefined));
}

/** Runs something once for each item, with this many at once. */
export async function measureEach<Item>(
  items: readonly Item[],
  call: (item: Item) => Promise<unknown>,
): Promise<Pace> {
  const rest = items.values();
  return timeCalls(CALLERS, () => {
    const { value, done } = rest.next();
    return done === true ? undefined : () => call(value);
  });
}

/** Makes the same call one after the other while something else is done, with a pause between (milliseconds). */
export async function measureWhile(
  work: () => Promise<unknown>,
  call: () => Promise<unknown>,
  pause = 0,
): Promise<Pace> {
  let isDone = false;
  const working = work().finally(() => (isDone = true));
  const calling = timeCalls(1, () => (isDone ? undefined : call), pause);
  return (await Promise.all([calling, working]))[0];
}

async function timeCalls(
  callers: number,
  next: () => (() => Promise<unknown>) | undefined,
  pause = 0,
): Promise<Pace> {
  const times: number[] = [];
  const began = performance.now();
  const caller = async () => {
    for (let call = next(); call; call = next()) {
      const start = performance.now();
      await call();
      times.push(performance.now() - start);
      if (pause > 0) await sleep(pause);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return toPace(times, performance.now() - began);
}

function toPace(times: readonly number[], milliseconds: number): Pace {
  return {
    rate: (times.length / milliseconds) * 1000,
    p50: percentile(times, 50),
    p95: percentile(times, 95),
  };
}

/** The given percentile of some values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

/**
 * Runs several measurements in turn, a few times, and returns the median of each, so that other load on the machine
 * affects all of them alike and one disturbance decides nothing. The first round is not counted: a server that has
 * just started runs code that V8 has not compiled yet, at half the speed.
 */
export async function inTurns<Name extends string>(
  rounds: number,
  measurements: Readonly<Record<Name, () => Promise<Pace>>>,
): Promise<Record<Name, Pace>> {
  const names = Object.keys(measurements) as Name[];
  const paces = new Map<Name, Pace[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const pace = await measurements[name]();
      if (round > 0) paces.get(name)?.push(pace);
    }
  }
  return Object.fromEntries(
    names.map((name) => [name, medianPace(paces.get(name) ?? [])]),
  ) as Record<Name, Pace>;
}

function medianPace(paces: readonly Pace[]): Pace {
  return {
    rate: median(paces.map((pace) => pace.rate)),
    p50: median(paces.map((pace) => pace.p50)),
    p95: median(paces.map((pace) => pace.p95)),
  };
}

/** The median of some values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/** The duration of some work (milliseconds). */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
