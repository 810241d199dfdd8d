import type { Generated } from 'kysely';

import type { Timestamp } from './columns.ts';

/** The tables of customers' pages. */
export interface PortalTables {
  portalSettings: PortalSettingsTable;
  invoiceLink: InvoiceLinkTable;
}

interface PortalSettingsTable {
  companyId: number;
  enabled: boolean;
  showAll: boolean;
}

interface InvoiceLinkTable {
  companyId: number;
  invoiceId: number;
  /** Random; the token is derived from it. */
  uuid: string;
  tokenHash: Uint8Array;
  renewedAt: Timestamp | null;
  codeHash: Uint8Array | null;
  codeExpiresAt: Timestamp | null;
  wrongCodes: Generated<number>;
}
