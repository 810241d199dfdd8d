import fs from 'node:fs';
import path from 'node:path';

import { todayInOslo } from '../../domain/date.ts';
import { createApp, createLog, type App } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import { until } from '../../server/testing/until.ts';
import { takeClock } from './clock.ts';
import { DEMO_EMAIL } from './company.ts';
import { signUp } from './owner.ts';
import { beginningOf, planLife, type Happening } from './year.ts';

/** In a folder that was made here, and in no other. */
const MARK = 'demo.json';
/** A day's mails are written long before (milliseconds). */
const SETTLING_TIMEOUT = 120_000;

interface Wish {
  /** Weeks of ordinary life. What the last weeks have of each kind of invoice is there in any case. */
  readonly weeks: number;
  /** Told of each month that begins, as YYYY-MM. */
  readonly onMonth?: (month: string) => void;
}

/**
 * Makes a data folder with a company and its life so far, with everything that can be turned on. Nothing
 * happens where there is one; it appears when it is whole.
 *
 * @throws Error when something else is in the folder's place
 */
export async function makeDemo(folder: string, { weeks, onMonth }: Wish): Promise<void> {
  if (isDemo(folder)) return;
  if (fs.existsSync(folder)) throw new Error(`${folder} is there, and is no demo: name another.`);
  const unfinished = `${folder}.unfinished`;
  fs.rmSync(unfinished, { recursive: true, force: true });
  const today = todayInOslo();
  const clock = takeClock();
  try {
    clock.moveTo(beginningOf(today, weeks));
    const config = readConfig({ DATA_DIR: unfinished, LOG_LEVEL: 'warn', FEATURES: 'all' });
    const app = await createApp({ config, log: createLog(config), webFolder: null });
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
  }
  fs.writeFileSync(path.join(unfinished, MARK), `${JSON.stringify({ made: today })}\n`);
  fs.renameSync(unfinished, folder);
}

/** Deletes a demo. @throws Error when the folder is none */
export function deleteDemo(folder: string): void {
  if (!fs.existsSync(folder)) return;
  if (!isDemo(folder)) throw new Error(`${folder} is no demo, and stays.`);
  fs.rmSync(folder, { recursive: true });
}

function isDemo(folder: string): boolean {
  return fs.existsSync(path.join(folder, MARK));
}

/** Days in their order; what happens on one of them, in the order in which it was planned. */
function byDay(happenings: readonly Happening[]): [string, Happening[]][] {
  const days = [...Map.groupBy(happenings, ({ day }) => day)];
  return days.toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** Waits until everything that was caused is done, so that it was done on its day. */
async function settle({ context }: App): Promise<void> {
  await until(
    async () => context.jobs.depths(),
    (queues) => queues.length === 0,
    SETTLING_TIMEOUT,
  );
}
