import type { Generated } from 'kysely';

import type { GeneratedTimestamp } from './column-types.ts';

/** A document's bytes as first rendered, or where they are stored. */
export interface DocumentFileTable {
  companyId: number;
  documentId: number;
  format: 'PDF' | 'EHF';
  sha256: Uint8Array;
  /** Null when stored outside the database. */
  content: Uint8Array | null;
  createdAt: GeneratedTimestamp;
  home: Generated<DocumentHome>;
}

/** Where a document's bytes are stored. */
export type DocumentHome = 'DATABASE' | 'S3';
