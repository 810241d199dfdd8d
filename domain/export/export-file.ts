import type { Permission } from '../permission.ts';
import type { ExportState } from './export.schema.ts';

interface MadeExport {
  readonly state: ExportState;
  readonly deletedAt?: Date | null;
  /** The end of the file's time; null before there is one. */
  readonly expiresAt: Date | string | null;
}

/** Whether an export has a file that may be fetched now. */
export function hasFile({ state, deletedAt = null, expiresAt }: MadeExport): boolean {
  const isKept = state === 'DONE' && deletedAt === null && expiresAt !== null;
  return isKept && new Date(expiresAt) > new Date();
}

/** The permission that deletes an export. Members without `edit` delete their own exports only (MEM-4). */
export function deletionNeeds({ isYours }: { readonly isYours: boolean }): Permission {
  return isYours ? 'export' : 'edit';
}
