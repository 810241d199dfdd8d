import { z } from 'zod/mini';

import { described } from './described.ts';
import { rowFault } from './error.ts';
import { rule } from './rules.ts';
import { optionalOr } from './validation.ts';

/** IMP-1. */
export const IMPORT_ROWS_MAX = 10_000;
/** Allows rows three times as long as usual. */
export const IMPORT_BYTES_MAX = 8 * 1024 * 1024;

/** Marks with which spreadsheets store digits as text. */
const TEXT_MARKS = /^="(.*)"$|^['\u2019](?=[\d\s+().-]+$)(.*)$/;

/** The value meant by a cell: '="0150"' and "'0150" mean 0150, and '150.0' means the whole number 150. */
export function cellText(cell: string): string {
  const [, formula, marked] = TEXT_MARKS.exec(cell.trim()) ?? [];
  return (formula ?? marked ?? cell).trim().replace(/^(\d+)[.,]00?$/, '$1');
}

/** A number as spreadsheets show long ones: '7,03801E+12' may have been 7038010068980, whose last digits are lost. */
export function isShortened(cell: string): boolean {
  return /^\d([.,]\d+)?E\+\d+$/i.test(cell);
}

/** Refuses a number that a spreadsheet has shortened, in a text that may have any characters (IMP-9). */
export const notShortened = z.refine<string>(
  (text) => !isShortened(text),
  rule('{0} was shortened by a spreadsheet, and lacks its last digits'),
);

/** The rows of an import, each judged by itself (IMP-4). */
export function importedRows(words: { readonly row: string; readonly all: string }) {
  return described(
    z
      .array(described(z.record(z.string(), z.unknown()), `${words.row}. Each is judged by itself`))
      .check(z.minLength(1), z.maxLength(IMPORT_ROWS_MAX)),
    words.all,
  );
}

/** Whether an import changes what is known. */
export const updateKnown = optionalOr(z.boolean(), true);

/** The answer to an import, with what identifies a known record. */
export function importResult<Name extends z.core.$ZodShape>(known: string, name: Name) {
  return {
    created: z.int(),
    updated: z.int(),
    faults: described(z.array(rowFault), 'By row; empty in the answer to an import that was done'),
    known: described(
      z.array(
        z.object({
          row: z.int().check(z.positive()),
          ...name,
          name: described(z.string(), 'As it was before'),
          changes: described(z.array(z.string()), 'The fields that the row changes'),
        }),
      ),
      known,
    ),
  };
}
