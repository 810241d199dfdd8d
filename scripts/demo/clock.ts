// A year of a company's life is lived, not written into tables: the process that makes it believes that
// it is the day on which a thing happens. So does the embedded database, which takes its time from Date.

/** The time of day at which things happen (UTC). Jobs that run by the clock run at whole ten minutes. */
const TIME_OF_DAY = 'T09:03:00Z';

export interface MovedClock {
  /** Makes it the morning of this day. Time goes on from there, as fast as ever. */
  moveTo(day: string): void;
  /** Makes it now again. */
  giveBack(): void;
}

/** Takes the clock of this process. The caller gives it back. */
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
