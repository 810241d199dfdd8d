import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';

import type { z } from 'zod/mini';

import { toSnakeKey, wirePath } from '../../../domain/api/case.ts';
import type { RowFault } from '../../../domain/api/error.ts';
import { cellText } from '../../../domain/api/list-import.ts';
import { inEnglish } from '../../../domain/api/rules.ts';
import { validate } from '../../../domain/api/validation.ts';
import { AppError, sentenceOf, type ErrorCode, type Language } from '../../errors.ts';

/** Rows read before the event loop gets a turn: a few milliseconds. */
const READ_AT_ONCE = 250;

/** A row as far as it can be read, with its own faults. */
export interface ReadRow<Values> {
  /** From 1. */
  readonly row: number;
  readonly values: Values;
  readonly faults: readonly { readonly field: string; readonly message: string }[];
}

/** A conflict of a row with other rows or with what is known; a required field that is empty has no code. */
export interface Clash<Field extends string = string> {
  readonly row: number;
  readonly field: Field;
  readonly code: ErrorCode | null;
  readonly subject?: string;
  readonly repeats: number | null;
}

/** The judgement of all rows. */
export interface Verdict<Values, Known, Field extends string = string> {
  readonly added: readonly ReadRow<Values>[];
  readonly known: readonly { readonly read: ReadRow<Values>; readonly before: Known }[];
  readonly clashes: readonly Clash<Field>[];
}

/** Reads rows one by one. A faulty field counts as empty, so that all faults are found at once (IMP-4). */
export async function readRows<S extends z.ZodMiniType>(
  schema: S,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<ReadRow<z.output<S>>[]> {
  const read: ReadRow<z.output<S>>[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % READ_AT_ONCE === 0) await nextTurnOfTheLoop();
    read.push(readRow(schema, index + 1, row));
  }
  return read;
}

function readRow<S extends z.ZodMiniType>(
  schema: S,
  row: number,
  cells: Readonly<Record<string, unknown>>,
): ReadRow<z.output<S>> {
  const texts = Object.fromEntries(
    Object.entries(cells).map(([key, cell]) => [
      key,
      typeof cell === 'string' ? cellText(cell) : cell,
    ]),
  );
  const result = validate(schema, texts, wirePath);
  if (result.ok) return { row, values: result.value, faults: [] };
  const faulty = new Set(result.faults.map(({ path }) => path[0]));
  const sound = Object.fromEntries(Object.entries(texts).filter(([key]) => !faulty.has(key)));
  const faults = result.faults.map(({ field, message }) => ({ field, message }));
  return { row, values: schema.parse(sound), faults };
}

/** The earlier row with this key; null when this row is the first, or has no key. */
export function earlierRow<Key>(rows: Map<Key, number>, key: Key | null, row: number) {
  if (key === null) return null;
  const first = rows.get(key);
  if (first === undefined) rows.set(key, row);
  return first ?? null;
}

/** Faults by row: their own, and their conflicts. */
export function faultsOf(
  rows: readonly ReadRow<unknown>[],
  clashes: readonly Clash[],
  language: Language,
): RowFault[] {
  const own = rows.flatMap(({ row, faults }) =>
    faults.map((fault) => ({ row, ...fault, repeats: null })),
  );
  const others = clashes.map(({ row, field, code, subject, repeats }) => ({
    row,
    field: toSnakeKey(field),
    message: code
      ? sentenceOf(new AppError(code, subject === undefined ? {} : { subject }), language)
      : inEnglish(toSnakeKey(field), '{0} is a required field'),
    repeats,
  }));
  return [...own, ...others].toSorted((left, right) => left.row - right.row);
}

/** @throws AppError import_faulty */
export function refuseFaults(faults: readonly RowFault[]): void {
  if (faults.length === 0) return;
  const rows = new Set(faults.map(({ row }) => row)).size;
  throw new AppError('import_faulty', { field: 'rows', subject: rows, faults });
}

/** How many records are added and saved, without those of faulty rows. */
export function countSound<Values>(
  { added, known }: Verdict<Values, unknown>,
  updatesKnown: boolean,
  faults: readonly RowFault[],
): { readonly created: number; readonly updated: number } {
  const faulty = new Set(faults.map(({ row }) => row));
  return {
    created: added.filter(({ row }) => !faulty.has(row)).length,
    updated: updatesKnown ? known.filter(({ read }) => !faulty.has(read.row)).length : 0,
  };
}
