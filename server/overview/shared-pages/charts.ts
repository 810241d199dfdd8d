import { markup, type Markup } from '../../platform/mail/layout.ts';

/** The colours of bars: this year, the year before, and what is late. */
type Tone = 'now' | 'then' | 'late';

/** The sizes of a column chart in its own units; the page stretches it. */
const HEIGHT = 100;
const GROUP = 20;
const COLUMN = 7;
const EDGE = 2.5;

/**
 * Columns in pairs, the year before first. Amounts below 0 hang from the line. A table beside it has the numbers, so readers
 * of screens skip the picture.
 */
export function columnChart(pairs: readonly (readonly [number, number])[]): Markup {
  const amounts = pairs.flat();
  const most = Math.max(0, ...amounts);
  const least = Math.min(0, ...amounts);
  const scale = HEIGHT / (most - least || 1);
  const zero = most * scale;
  const columns = pairs.flatMap(([before, now], index) => [
    column({ amount: before * scale, x: index * GROUP + EDGE, zero, tone: 'then' }),
    column({ amount: now * scale, x: index * GROUP + EDGE + COLUMN + 1, zero, tone: 'now' }),
  ]);
  return markup`<svg viewBox="0 0 ${pairs.length * GROUP} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true" focusable="false">${columns}</svg>`;
}

interface Column {
  readonly amount: number;
  readonly x: number;
  readonly zero: number;
  readonly tone: Tone;
}

function column({ amount, x, zero, tone }: Column): Markup {
  const y = short(amount < 0 ? zero : zero - amount);
  return markup`<rect class="${tone}" x="${x}" y="${y}" width="${COLUMN}" height="${short(Math.abs(amount))}"/>`;
}

/** A bar of a row of a table, beside the number. */
export function rowBar(amount: number, most: number, tone: Tone = 'now'): Markup {
  const width = most === 0 ? 0 : short((Math.abs(amount) / most) * HEIGHT);
  const colour = amount < 0 ? 'then' : tone;
  return markup`<svg viewBox="0 0 ${HEIGHT} 12" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="${colour}" width="${width}" height="12"/></svg>`;
}

/** The colour of a legend. */
export function swatch(tone: Tone): Markup {
  return markup`<svg viewBox="0 0 12 12" aria-hidden="true" focusable="false"><rect class="${tone}" width="12" height="12" rx="3"/></svg>`;
}

function short(length: number): number {
  return Math.round(length * 100) / 100;
}
