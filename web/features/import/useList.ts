import { useMemo, useState } from 'react';

import {
  type ColumnKind,
  type Columns,
  countSumLines,
  countTitleLines,
  findColumns,
  hasHeading,
} from './import-kind.ts';
import {
  type Delimiter,
  type Encoding,
  encodingOf,
  type Line,
  readTable,
  type Table,
  textOf,
} from './list-file.ts';

export interface Source {
  readonly name: string;
  readonly content: Uint8Array | string;
}

/** The user's choices; the others are detected. */
export interface Reading {
  readonly encoding?: Encoding | undefined;
  readonly delimiter?: Delimiter | undefined;
  readonly isHeaded?: boolean;
  readonly columns?: Columns;
}

/** A list as it is read, with detected or chosen settings. */
export interface List {
  /** Null for pasted text. */
  readonly encoding: Encoding | null;
  readonly table: Table;
  /** The text above the headings; '' when there is none. */
  readonly title: string;
  /** The sums below the records; '' when there are none. */
  readonly sums: string;
  readonly isHeaded: boolean;
  readonly columns: Columns;
}

/** @throws UnreadableFile */
export function readList(kind: ColumnKind, { content }: Source, chosen: Reading = {}): List {
  const encoding = typeof content === 'string' ? null : (chosen.encoding ?? encodingOf(content));
  const text = typeof content === 'string' ? content : textOf(content, encoding ?? 'utf-8');
  const whole = readTable(text, chosen.delimiter);
  const above = countTitleLines(kind, whole);
  const end = whole.lines.length - countSumLines(whole);
  const table = { ...whole, lines: whole.lines.slice(above, end) };
  const isHeaded = chosen.isHeaded ?? hasHeading(kind, table);
  const columns = chosen.columns ?? findColumns(kind, table, isHeaded);
  const title = textIn(whole.lines.slice(0, above));
  const sums = textIn(whole.lines.slice(end));
  return { encoding, table, title, sums, isHeaded, columns };
}

function textIn(lines: readonly Line[]): string {
  return lines.flatMap(({ cells }) => cells.filter(Boolean)).join(', ');
}

export function useList(kind: ColumnKind, source: Source) {
  const [chosen, setChosen] = useState<Reading>({});
  const list = useMemo(() => {
    try {
      return readList(kind, source, chosen);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }, [kind, source, chosen]);
  return {
    list,
    // The columns are detected again when the list is read in another way.
    read: (changes: Reading) => setChosen({ ...chosen, columns: undefined, ...changes }),
  };
}
