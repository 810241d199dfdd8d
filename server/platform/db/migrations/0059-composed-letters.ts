import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * Normalises stored texts to NFC, since decomposed letters sort wrongly. Documents, registered invoices, payments and
 * the history never change.
 */
export const composedLetters: Migration = { up, online: true };

const OF_A_DRAFT = `invoice_id IN (SELECT id FROM invoice WHERE status = 'DRAFT'
  AND invoice.company_id = invoice_line.company_id)`;

/** Tables, their text columns, and the rows that may change. */
const TEXTS: readonly (readonly [string, readonly string[], string])[] = [
  [
    'company',
    [
      'company_name',
      'billing_address1',
      'billing_address2',
      'billing_postal_code',
      'billing_city',
      'default_message',
    ],
    'true',
  ],
  ['customer', ['name', 'address1', 'address2', 'postal_code', 'city'], 'true'],
  ['customer_group', ['group_name'], 'true'],
  ['invoice_template', ['name'], 'true'],
  ['invoice_template_line', ['description'], 'true'],
  ['assignment', ['name', 'message'], 'true'],
  ['assignment_line', ['description'], 'true'],
  ['invoice_line', ['description'], OF_A_DRAFT],
  ['invoice', ['reference', 'message'], "status = 'DRAFT'"],
  ['invoice', ['disputed_note'], 'disputed'],
  ['bank_file', ['name'], 'true'],
  ['api_token', ['name'], 'true'],
];

async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns, condition] of TEXTS) {
    const written = columns.map(
      (column) => sql`${sql.ref(column)} = normalize(${sql.ref(column)}, NFC)`,
    );
    const decomposed = columns.map((column) => sql`${sql.ref(column)} IS NOT NFC NORMALIZED`);
    await sql`
      UPDATE ${sql.table(table)} SET ${sql.join(written)}
      WHERE (${sql.join(decomposed, sql` OR `)}) AND ${sql.raw(condition)}`.execute(db);
  }
}
