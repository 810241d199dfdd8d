/** A measured number and its reference, measured in the same run. */
export interface Figure extends Reference {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

interface Reference {
  /** Another size, the same while nothing else is done, another way. */
  readonly peer?: { readonly name: string; readonly value: number };
  /** Required value ÷ peer, or without a peer the required value. */
  readonly target?: { readonly is: 'at least' | 'at most'; readonly bound: number };
}

/** The figures of one topic. */
export interface Results {
  readonly topic: string;
  readonly figures: readonly Figure[];
}

/** A figure, and what it is judged by: `beside`, `atLeast` and `atMost`. */
export function figure(
  name: string,
  value: number,
  unit: string,
  ...references: readonly Reference[]
): Figure {
  return Object.assign({ name, value, unit }, ...references) as Figure;
}

export function beside(name: string, value: number): Reference {
  return { peer: { name, value } };
}

export function atLeast(bound: number): Reference {
  return { target: { is: 'at least', bound } };
}

export function atMost(bound: number): Reference {
  return { target: { is: 'at most', bound } };
}

/** Value ÷ peer; null without a peer. */
export function ratioOf({ value, peer }: Figure): number | null {
  return peer ? value / peer.value : null;
}

/** Whether the target is met; null without one. */
export function isMet(figure: Figure): boolean | null {
  const { target, value } = figure;
  if (!target) return null;
  const measured = ratioOf(figure) ?? value;
  return target.is === 'at least' ? measured >= target.bound : measured <= target.bound;
}

/** The figures as a table for people. */
export function formatTable(results: readonly Results[]): string {
  const rows = results.flatMap(({ topic, figures }) =>
    figures.map((each) => [topic, ...cellsOf(each)]),
  );
  const table = [['topic', 'figure', 'value', 'beside', 'ratio', 'target', ''], ...rows];
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  return table
    .map((row) => row.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

function cellsOf(each: Figure): string[] {
  const { name, value, unit, peer, target } = each;
  const ratio = ratioOf(each);
  const met = isMet(each);
  return [
    name,
    `${formatNumber(value)} ${unit}`,
    peer ? `${peer.name}: ${formatNumber(peer.value)}` : '',
    ratio === null ? '' : `${ratio.toFixed(2)}×`,
    target ? `${target.is} ${target.bound}${peer ? '×' : ''}` : '',
    met === null ? '' : met ? 'met' : 'MISSED',
  ];
}

function pad(cell: string, width: number, column: number): string {
  return column === 2 || column === 4 ? cell.padStart(width) : cell.padEnd(width);
}

function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-GB', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
