// The demo runs the real use cases day by day instead of writing tables. The process moves its own clock to each day;
// the embedded database follows, since it takes its time from Date.

/** Time of day of all events (UTC). Scheduled jobs run at whole ten minutes. */
const TIME_OF_DAY = 'T09:03:00Z';

export interface MovedClock {
  /** Sets the clock to the morning of this day. Time then runs at normal speed. */
  moveTo(day: string): void;
  /** Restores the real time. */
  giveBack(): void;
}

/** Replaces the clock of this process. The caller must call `giveBack`. */
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
