import { TARGET_LABELS } from './columns.ts';
import type { ImportedField } from './rows.ts';

/** What the fields are called on the screen. */
export const FIELD_LABELS: Readonly<Record<ImportedField, string>> = TARGET_LABELS;

/** '1 kunde', '12 kunder', '10 000 kunder'. */
export function countOf(count: number, one: string, many: string): string {
  return `${count.toLocaleString('nb-NO')} ${count === 1 ? one : many}`;
}
