import type { GeneratedAlways } from 'kysely';

import type { IsoDate } from '../../../domain/date.ts';
import type { GeneratedTimestamp, Timestamp } from './columns.ts';

/** The tables of companies that were closed. */
export interface ClosingTables {
  companyClosing: CompanyClosingTable;
  closedBooks: ClosedBooksTable;
  deletedObject: DeletedObjectTable;
}

interface CompanyClosingTable {
  companyId: number;
  /** The uuid of an account. */
  closedBy: string;
  keep: boolean;
  deletesOn: IsoDate;
  /** The last day on which books that are kept can be read. */
  keptUntil: IsoDate | null;
  booksEndOn: GeneratedAlways<IsoDate>;
  archiveSha256: Uint8Array | null;
  strippedAt: Timestamp | null;
  toldAt: Timestamp | null;
}

/** The row that remains of a company whose books were deleted. */
interface ClosedBooksTable {
  id: GeneratedAlways<number>;
  companyUuid: string;
  orgNumber: string | null;
  closedBy: string;
  deletedAt: GeneratedTimestamp;
  firstNumber: number | null;
  lastNumber: number | null;
  lastHash: Uint8Array | null;
  archiveSha256: Uint8Array | null;
  /** The id that the company had. */
  deletedId: number;
}

/** A key of the object store whose row is gone. */
interface DeletedObjectTable {
  deletedId: number;
  key: string;
}
