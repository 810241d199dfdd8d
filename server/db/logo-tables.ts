import type { GeneratedTimestamp } from './column-types.ts';

/** The tables of logos. */
export interface LogoTables {
  companyLogo: CompanyLogoTable;
}

/** Of a logo that is not current and that no document names, nothing is kept. */
interface CompanyLogoTable {
  companyId: number;
  sha256: Uint8Array;
  /** A PNG. */
  content: Uint8Array;
  isCurrent: boolean;
  createdAt: GeneratedTimestamp;
}
