import type { Generated } from 'kysely';

import type { GeneratedTimestamp } from './column-types.ts';

/** The bytes of a document as they were first made, or where they live. */
export interface DocumentFileTable {
  companyId: number;
  documentId: number;
  format: 'PDF' | 'EHF';
  sha256: Uint8Array;
  /** Null where it lives outside of the database. */
  content: Uint8Array | null;
  createdAt: GeneratedTimestamp;
  home: Generated<DocumentHome>;
}

/** Where the bytes of a document live. */
export type DocumentHome = 'DATABASE' | 'S3';
