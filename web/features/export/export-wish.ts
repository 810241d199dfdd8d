import type { ExportFilter, ExportKind } from '../../../domain/export/export.schema.ts';
import type { ExportWish } from './export.api.ts';
import type { Dates } from './export-period.ts';

/** A body for what is chosen; undefined while its dates are not whole. The archive has everything, whatever is chosen. */
export function wishOf(
  kind: ExportKind,
  period: Dates | 'SINCE_LAST' | undefined,
  filter: ExportFilter | undefined,
): ExportWish | undefined {
  if (kind === 'ARCHIVE') return { kind };
  if (period === undefined) return undefined;
  const dates = period === 'SINCE_LAST' ? { sinceLast: true as const } : period;
  return { kind, ...dates, ...(filter ? { filter } : {}) };
}
