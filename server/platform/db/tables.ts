import type { Selectable } from 'kysely';

import type { ClosingTables } from './closing-tables.ts';
import type { CompanyTables } from './company-tables.ts';
import type { DeliveryTables } from './delivery-tables.ts';
import type { ExportTables } from './export-tables.ts';
import type { InvoiceTables } from './invoice-tables.ts';
import type { OverviewTables } from './overview-tables.ts';
import type { StatementTables } from './statement-tables.ts';
import type { PaymentTables } from './payment-tables.ts';
import type { PortalTables } from './portal-tables.ts';
import type { QuoteTables } from './quote-tables.ts';
import type { WebhookTables } from './webhook-tables.ts';

/**
 * The tables after all migrations, in camelCase. Only repositories use them. Those of optional features exist even if
 * the feature is off.
 */
export interface Tables
  extends
    ClosingTables,
    CompanyTables,
    DeliveryTables,
    ExportTables,
    InvoiceTables,
    OverviewTables,
    StatementTables,
    PaymentTables,
    PortalTables,
    QuoteTables,
    WebhookTables {}

/** A row as read, or some of its columns. */
export type Row<
  Name extends keyof Tables,
  Column extends keyof Selectable<Tables[Name]> = keyof Selectable<Tables[Name]>,
> = Pick<Selectable<Tables[Name]>, Column>;
