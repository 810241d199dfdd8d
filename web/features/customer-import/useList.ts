import { useMemo, useState } from 'react';

import { countTitleLines, findColumns, hasHeading, type Columns } from './columns.ts';
import { encodingOf, textOf, type Encoding } from './file-text.ts';
import { readTable, type Delimiter, type Table } from './table.ts';

/** A list that a person gave us: a file, or text that was pasted. */
export interface Source {
  readonly name: string;
  readonly content: Uint8Array | string;
}

/** What was found out about a list, or chosen instead. */
export interface Reading {
  readonly encoding: Encoding | undefined;
  readonly delimiter: Delimiter | undefined;
  readonly isHeaded: boolean | undefined;
  readonly columns: Columns | undefined;
}

const FOUND_OUT: Reading = {
  encoding: undefined,
  delimiter: undefined,
  isHeaded: undefined,
  columns: undefined,
};

/** A list as it is read. */
export interface List {
  /** Null of what was pasted. */
  readonly encoding: Encoding | null;
  readonly table: Table;
  /** What stands above the headings, which is no customer; empty where nothing does. */
  readonly title: string;
  readonly isHeaded: boolean;
  readonly columns: Columns;
}

/** @throws UnreadableFile */
export function readList({ content }: Source, chosen: Reading = FOUND_OUT): List {
  const encoding = typeof content === 'string' ? null : (chosen.encoding ?? encodingOf(content));
  const text = typeof content === 'string' ? content : textOf(content, encoding ?? 'utf-8');
  const whole = readTable(text, chosen.delimiter);
  const above = countTitleLines(whole);
  const title = whole.lines.slice(0, above).flatMap(({ cells }) => cells.filter(Boolean));
  const table = { ...whole, lines: whole.lines.slice(above) };
  const isHeaded = chosen.isHeaded ?? hasHeading(table);
  const columns = chosen.columns ?? findColumns(table, isHeaded);
  return { encoding, table, title: title.join(', '), isHeaded, columns };
}

/** A list that can be read, and the choices that a person makes instead of what was found out. */
export function useList(source: Source) {
  const [chosen, setChosen] = useState(FOUND_OUT);
  const list = useMemo(() => {
    try {
      return readList(source, chosen);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }, [source, chosen]);
  return {
    list,
    // Other columns follow from another way of reading.
    read: (changes: Partial<Reading>) => setChosen({ ...chosen, columns: undefined, ...changes }),
  };
}
