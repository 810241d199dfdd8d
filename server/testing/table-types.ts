import { sql } from 'kysely';

import type { Db } from '../platform/db/database.ts';

/** Columns of these names are amounts in øre. */
const ORE =
  /(?:_amount|_sum|_price|_net|_principal)$|^(?:amount|compensation|credit|earlier|fee|interest|let_go|net|principal)$/;

/** Triggers of the database write these columns, and nobody else does. */
const KEPT_BY_TRIGGERS = new Set([
  'customer.credit',
  'invoice.credited_amount',
  'invoice.paid_amount',
  'invoice.paid_date',
  'invoice.reminder_amount',
  'invoice.reminder_waived',
  'payment.undone',
  'quote.left_net',
]);

/** Types that neither the column's type nor its check says, by name of the column or of table and column. */
const MEANINGS: Readonly<Record<string, string>> = {
  by_type: "HistoryAuthor['type']",
  delivery_type: 'DeliveryType',
  home: 'DocumentHome',
  kid_modulus: 'KidModulus',
  media_type: "Attachment['mediaType']",
  recipients: 'Json<readonly MailRecipient[]>',
  vat_rate: 'VatRate',
  vat_treatment: 'VatTreatment',
  'api_token.scopes': 'Permission[]',
  'assignment.interval_unit': 'IntervalUnit',
  'assignment_run.content': 'Json<StoredContent>',
  'bank_entry.format': 'BankFileFormat',
  'bank_entry.kids': 'readonly StoredKid[]',
  'bank_entry.placements': 'readonly StoredPlacement[]',
  'bank_entry.suggestion': 'StoredSuggestion',
  'bank_file.outcomes': 'Json<OutcomeSum[]>',
  'company.default_vat_treatment': 'VatTreatment',
  'delivery.refused': 'RefusedAddress[]',
  'delivery.stopped_by': 'StoppedBy',
  'export.filter': 'ExportFilter',
  'export_basis.seller': 'Json<string>',
  'export_basis.settings': 'Json<string>',
  'export_settings.accounts': 'Json<never>',
  'history_event.details': 'HistoryDetails',
  'history_event.kind': 'HistoryKind',
  'invoice.buyer': 'Buyer',
  'invoice.credit_extent': 'CreditExtent',
  'invoice.seller': 'Seller',
  'invoice.source_quote': 'QuoteOfInvoice',
  'invoice.vat_subtotals': 'readonly TreatedSubtotal[]',
  'overview_link.shows': 'readonly Shown[]',
  'payment.buyer': "Omit<Buyer, 'email'>",
  'payment.suggestion': 'StoredSuggestion',
  'peppol_answer.outcome': 'Reachability',
  'quote_event.by_type': "QuoteAuthor['type']",
  'quote_event.details': 'QuoteEventDetails',
  'quote_revision.buyer': 'Json<Buyer>',
  'reminder_settings.steps': 'Json<readonly ReminderStep[]>',
  'webhook.events': "WebhookForm['events']",
  'webhook_delivery.last_error': 'AttemptError',
  'webhook_delivery.tries': 'Json<readonly Attempt[]>',
  'webhook_delivery.type': 'MessageType',
  'webhook_event.details': 'unknown',
  'webhook_event.type': 'EventType',
  'webhook_switch.types': 'EventType[]',
};

/** Where the types are that tables.ts names. */
const MODULES: Readonly<Record<string, string>> = {
  '../../../domain/attachment/attachment.schema.ts': 'Attachment',
  '../../../domain/bank-file/bank-file.schema.ts': 'BankFileFormat',
  '../../../domain/date.ts': 'IsoDate',
  '../../../domain/delivery/delivery.schema.ts': 'DeliveryType RefusedAddress StoppedBy',
  '../../../domain/delivery/mail-recipients.ts': 'MailRecipient',
  '../../../domain/ehf/ehf.schema.ts': 'Reachability',
  '../../../domain/export/export.schema.ts': 'ExportFilter',
  '../../../domain/history/history.schema.ts': 'HistoryAuthor HistoryDetails HistoryKind',
  '../../../domain/integration/webhook.schema.ts':
    'Attempt AttemptError EventType MessageType WebhookForm',
  '../../../domain/invoice/invoice.status.ts': 'CreditExtent',
  '../../../domain/invoice/invoice.terms.ts': 'QuoteOfInvoice',
  '../../../domain/invoice/invoice.totals.ts': 'TreatedSubtotal',
  '../../../domain/kid.ts': 'KidModulus',
  '../../../domain/late-payment/reminder-steps.ts': 'ReminderStep',
  '../../../domain/money.ts': 'Ore',
  '../../../domain/overview/overview-link.schema.ts': 'Shown',
  '../../../domain/parties.ts': 'Buyer Seller',
  '../../../domain/permission.ts': 'Permission',
  '../../../domain/quote/quote.schema.ts': 'QuoteAuthor QuoteEventDetails',
  '../../../domain/recurring/series.schema.ts': 'IntervalUnit',
  '../../../domain/vat-treatment.ts': 'VatRate VatTreatment',
  './columns.ts':
    'DocumentHome GeneratedTimestamp OutcomeSum StoredContent StoredKid StoredPlacement StoredSuggestion Timestamp',
};

const TYPES: Readonly<Record<string, string>> = {
  _int4: 'number[]',
  _int8: 'number[]',
  _text: 'string[]',
  bool: 'boolean',
  bytea: 'Uint8Array',
  date: 'IsoDate',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'string',
  text: 'string',
  timestamptz: 'Timestamp',
  uuid: 'string',
  xid8: 'string',
};

const HEAD = `// Made by server/platform/db/tables.test.ts of a migrated database; see server/testing/table-types.ts.

import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';

`;

const TABLES = `/**
 * The tables after all migrations, in camelCase. Only repositories use them. Those of optional features exist even if
 * the feature is off.
 */
export interface Tables`;

const ROW = `/** A row as read, or some of its columns. */
export type Row<
  Name extends keyof Tables,
  Column extends keyof Selectable<Tables[Name]> = keyof Selectable<Tables[Name]>,
> = Pick<Selectable<Tables[Name]>, Column>;`;

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
  /** Neither an insert nor an update may set it. */
  readonly isGenerated: boolean;
  /** The checks that mention it, in SQL. */
  readonly checks: readonly string[];
}

/**
 * The types of all tables, as TypeScript: what a column means as `MEANINGS` says, or else the values that its check
 * allows, or else what the driver makes of its type.
 *
 * @param db a migrated database
 */
export async function tableTypes(db: Db): Promise<string> {
  const tables = Map.groupBy(await findColumns(db), ({ table }) => table);
  const rows = [...tables].map(
    ([table, columns]) => `  ${camel(table)}: {\n${columns.map(member).join('')}  };\n`,
  );
  const imports = Object.entries(MODULES).map(
    ([module, types]) => `import type { ${types.replaceAll(' ', ', ')} } from '${module}';\n`,
  );
  return `${HEAD}${imports.join('')}\n${TABLES} {\n${rows.join('')}}\n\n${ROW}\n`;
}

async function findColumns(db: Db): Promise<Column[]> {
  const { rows } = await sql<Column>`
    SELECT relname::text AS "table", attname::text AS name, typname::text AS type,
      NOT attnotnull AS is_nullable, atthasdef OR attidentity = 'd' AS has_default,
      attidentity = 'a' OR attgenerated = 's' AS is_generated,
      ARRAY(SELECT pg_get_expr(conbin, conrelid) FROM pg_constraint
        WHERE conrelid = class.oid AND contype = 'c' AND attnum = ANY (conkey)) AS checks
    FROM pg_class class JOIN pg_attribute ON attrelid = class.oid JOIN pg_type type ON type.oid = atttypid
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'migration'
      AND attnum > 0 AND NOT attisdropped
    ORDER BY relname, attnum`.execute(db);
  return rows;
}

function member(column: Column): string {
  return `    ${camel(column.name)}: ${typeOf(column)};\n`;
}

function typeOf(column: Column): string {
  const { table, name, hasDefault, isGenerated } = column;
  const value = meaningOf(column);
  const orNull = canBeNull(column) ? ' | null' : '';
  const written = /^Json<(.+)>$/.exec(value);
  if (written) {
    const absent = hasDefault ? ' | undefined' : '';
    return `ColumnType<${written[1]}${orNull}, string${orNull}${absent}, string${orNull}>`;
  }
  const isCounted = name === 'version' && hasDefault;
  const isKept = isCounted || KEPT_BY_TRIGGERS.has(`${table}.${name}`);
  if (isGenerated || isKept) return `GeneratedAlways<${value}${orNull}>`;
  if (!hasDefault) return `${value}${orNull}`;
  return value === 'Timestamp' ? 'GeneratedTimestamp' : `Generated<${value}${orNull}>`;
}

function meaningOf({ table, name, type, checks }: Column): string {
  const said = MEANINGS[`${table}.${name}`] ?? MEANINGS[name];
  if (said !== undefined) return said;
  if (ORE.test(name) && type === 'int8') return 'Ore';
  const listed = checks
    .map(
      (check) => new RegExp(String.raw`^\(${name} = ANY \(ARRAY\[([^\]]*)\]\)\)$`).exec(check)?.[1],
    )
    .find((list) => list !== undefined);
  const values = listed?.replaceAll('::text', '').replaceAll(', ', ' | ');
  const found = values ?? TYPES[type];
  if (found === undefined) throw new Error(`What does ${table}.${name} (${type}) mean?`);
  return found;
}

/** Columns that became NOT NULL later say so in a check. */
function canBeNull({ name, isNullable, checks }: Column): boolean {
  return isNullable && !checks.some((check) => check.startsWith(`((${name} IS NOT NULL) AND`));
}

function camel(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
