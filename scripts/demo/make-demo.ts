import fs from 'node:fs';
import path from 'node:path';

import { todayInOslo } from '../../domain/date.ts';
import { createApp, type App } from '../../server/app.ts';
import { createLog } from '../../server/platform/log/log.ts';
import { readConfig } from '../../server/config.ts';
import { until } from '../../server/testing/until.ts';
import { DEMO_EMAIL } from './company.ts';
import { openDemoNetwork } from './network.ts';
import { signUp } from './owner.ts';
import { beginningOf, planLife, type Happening } from './year.ts';

/** Marks a folder that this script made; only such a folder is used or deleted. */
const MARK = 'demo.json';
/** Longest wait for a day's jobs (milliseconds); its mails normally take far less. */
const SETTLING_TIMEOUT = 120_000;

interface Wish {
  /** Weeks of ordinary life. Each kind of invoice is there in any case. */
  readonly weeks: number;
  /** Called with each new month, as YYYY-MM. */
  readonly onMonth?: (month: string) => void;
}

/**
 * Makes a data folder with a company and its history, with every feature on. Does nothing if the demo exists. The
 * folder appears only when complete.
 *
 * @throws Error when something else has that path
 */
export async function makeDemo(folder: string, { weeks, onMonth }: Wish): Promise<void> {
  if (isDemo(folder)) return;
  if (fs.existsSync(folder)) throw new Error(`${folder} is there, and is no demo: name another.`);
  const unfinished = `${folder}.unfinished`;
  fs.rmSync(unfinished, { recursive: true, force: true });
  const today = todayInOslo();
  const network = await openDemoNetwork();
  const clock = takeClock();
  try {
    clock.moveTo(beginningOf(today, weeks));
    const own = { DATA_DIR: unfinished, LOG_LEVEL: 'warn', FEATURES: 'all' };
    const config = readConfig({ ...own, ...network.settings });
    const log = createLog(config);
    const app = await createApp({ config, log, webFolder: null, peppolWire: network.wire });
    try {
      const call = await signUp(app, DEMO_EMAIL);
      let month = '';
      for (const [day, happenings] of byDay(planLife(app.context, call, today, weeks))) {
        clock.moveTo(day);
        if (month !== day.slice(0, 7)) onMonth?.((month = day.slice(0, 7)));
        for (const { happen } of happenings) await happen();
        await settle(app);
      }
    } finally {
      await app.close();
    }
  } finally {
    clock.giveBack();
    await network.close();
  }
  fs.writeFileSync(path.join(unfinished, MARK), `${JSON.stringify({ made: today })}\n`);
  fs.renameSync(unfinished, folder);
}

/** Deletes a demo. @throws Error when the folder is not a demo */
export function deleteDemo(folder: string): void {
  if (!fs.existsSync(folder)) return;
  if (!isDemo(folder)) throw new Error(`${folder} is no demo, and stays.`);
  fs.rmSync(folder, { recursive: true });
}

function isDemo(folder: string): boolean {
  return fs.existsSync(path.join(folder, MARK));
}

/** Days in order; the events of one day in the order in which they were planned. */
function byDay(happenings: readonly Happening[]): [string, Happening[]][] {
  const days = [...Map.groupBy(happenings, ({ day }) => day)];
  return days.toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** Waits until all jobs are done, so that they run on their day. */
async function settle({ context }: App): Promise<void> {
  await until(
    async () => context.jobs.depths(),
    (queues) => queues.length === 0,
    SETTLING_TIMEOUT,
  );
}

/** Time of day of all events (UTC). Scheduled jobs run at whole ten minutes. */
const TIME_OF_DAY = 'T09:03:00Z';

interface MovedClock {
  /** Sets the clock to the morning of this day. Time then runs at normal speed. */
  moveTo(day: string): void;
  /** Restores the real time. */
  giveBack(): void;
}

/**
 * Replaces the clock of this process, so that the demo can run the real use cases day by day. The embedded database
 * follows, since it takes its time from Date. The caller must call `giveBack`.
 */
export function takeClock(): MovedClock {
  const RealDate = globalThis.Date;
  let offset = 0;
  const now = () => RealDate.now() + offset;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given: unknown[], newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as object,
    get: (target, name, receiver) =>
      name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown),
  });
  return {
    moveTo(day) {
      offset = RealDate.parse(`${day}${TIME_OF_DAY}`) - RealDate.now();
    },
    giveBack() {
      globalThis.Date = RealDate;
    },
  };
}
