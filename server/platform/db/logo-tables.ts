import type { GeneratedTimestamp } from './column-types.ts';

/** The tables of logos. */
export interface LogoTables {
  companyLogo: CompanyLogoTable;
}

/** A logo that is not current is kept only while a document names it. */
interface CompanyLogoTable {
  companyId: number;
  sha256: Uint8Array;
  /** A PNG. */
  content: Uint8Array;
  isCurrent: boolean;
  createdAt: GeneratedTimestamp;
}
