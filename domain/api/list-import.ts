import { z } from 'zod';

import { rowFault } from './error.ts';
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

/** The rows of an import, each judged by itself (IMP-4). */
export function importedRows(words: { readonly row: string; readonly all: string }) {
  return z
    .array(
      z
        .record(z.string(), z.unknown())
        .meta({ description: `${words.row}. Each is judged by itself` }),
    )
    .min(1)
    .max(IMPORT_ROWS_MAX)
    .meta({ description: words.all });
}

/** Whether an import changes what is known. */
export const updateKnown = optionalOr(z.boolean(), true);

/** The answer to an import, with what identifies a known record. */
export function importResult<Name extends z.ZodRawShape>(known: string, name: Name) {
  return {
    created: z.number().int(),
    updated: z.number().int(),
    faults: z
      .array(rowFault)
      .meta({ description: 'By row; empty in the answer to an import that was done' }),
    known: z
      .array(
        z.object({
          row: z.number().int().positive(),
          ...name,
          name: z.string().meta({ description: 'As it was before' }),
          changes: z.array(z.string()).meta({ description: 'The fields that the row changes' }),
        }),
      )
      .meta({ description: known }),
  };
}
