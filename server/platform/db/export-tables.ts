import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

import type {
  ExportFilter,
  ExportKind,
  ExportState,
} from '../../../domain/export/export.schema.ts';
import type { HistoryAuthor } from '../../../domain/history/history.schema.ts';
import type { IsoDate } from '../../../domain/date.ts';
import type { Ore } from '../../../domain/money.ts';
import type { GeneratedTimestamp, Timestamp } from './columns.ts';
import type { DocumentHome } from './delivery-tables.ts';

/** The tables of exports. */
export interface ExportTables {
  export: ExportTable;
  exportAuthor: ExportAuthorTable;
  exportBasis: ExportBasisTable;
  exportListed: ExportListedTable;
  exportPart: ExportPartTable;
  exportRange: ExportRangeTable;
  exportLink: ExportLinkTable;
}

interface ExportTable {
  companyId: number;
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  kind: ExportKind;
  state: ExportState;
  /** Null: from the first day. */
  fromDate: IsoDate | null;
  toDate: IsoDate;
  afterNumber: number | null;
  afterPaymentId: number | null;
  afterDate: IsoDate | null;
  filter: ExportFilter | null;
  throughNumber: number;
  throughPaymentId: number;
  invoices: number;
  creditNotes: number;
  firstNumber: number | null;
  lastNumber: number | null;
  netAmount: Ore;
  vatAmount: Ore;
  grossAmount: Ore;
  /** Whether a job makes the file; otherwise the first who fetches it. */
  byJob: boolean;
  attempt: Generated<number>;
  failures: Generated<number>;
  progress: Generated<number>;
  sha256: Uint8Array | null;
  size: number | null;
  sentTo: string | null;
  byType: HistoryAuthor['type'];
  byName: string;
  createdAt: GeneratedTimestamp;
  expiresAt: Timestamp | null;
  deletedAt: Timestamp | null;
  toldAt: Timestamp | null;
  linkSentAt: Timestamp | null;
  /** Until then the process that makes the file for a fetch is taken to be alive. */
  leasedUntil: Timestamp | null;
  /** When the last part of the file was first handed out. */
  fetchedAt: Timestamp | null;
  /** When the address refused the link. */
  linkRefusedAt: Timestamp | null;
}

/** The seller and the settings when an export was asked for. */
interface ExportBasisTable {
  companyId: number;
  exportId: number;
  seller: ColumnType<string, string, never>;
  settings: ColumnType<string, string, never>;
}

/** Documents and payments that came after one moment and by another, and are dated within these days. */
interface ExportRangeTable {
  companyId: number;
  exportId: number;
  position: number;
  afterNumber: number;
  afterPaymentId: number;
  throughNumber: number;
  throughPaymentId: number;
  fromDate: IsoDate | null;
  toDate: IsoDate | null;
}

interface ExportAuthorTable {
  companyId: number;
  exportId: number;
  accountId: number;
  /** Null: a session of the account. */
  tokenId: number | null;
  /** The owner in whose name the link goes on after its author was removed. */
  keptBy: number | null;
  linkEndedAt: Timestamp | null;
}

interface ExportListedTable {
  companyId: number;
  exportId: number;
  /** The numbers that the filter found when the export was asked for. */
  numbers: number[];
}

interface ExportPartTable {
  companyId: number;
  exportId: number;
  attempt: number;
  position: number;
  /** The size before packing (bytes). */
  size: number;
  home: DocumentHome;
  packed: Generated<boolean>;
  content: Uint8Array | null;
}

interface ExportLinkTable {
  companyId: number;
  exportId: number;
  tokenHash: Uint8Array;
  createdAt: GeneratedTimestamp;
}
