import type { DeletedPart } from '../platform/db/company-deletion.ts';

const NEVER_ACCEPTED = `quote_id NOT IN (
  SELECT id FROM quote WHERE company_id = $company AND state = 'ACCEPTED')`;

/** The rows deleted after 30 days when the books are kept (CLO-6), in this order. */
export const GOES_FIRST: readonly DeletedPart[] = [
  { table: 'quote_event', rows: NEVER_ACCEPTED },
  {
    table: 'quote_delivery',
    rows: `document_id IN (SELECT id FROM quote_document WHERE company_id = $company AND ${NEVER_ACCEPTED})`,
  },
  { table: 'quote_document', rows: NEVER_ACCEPTED },
  { table: 'quote_attachment', rows: NEVER_ACCEPTED },
  { table: 'quote_line', rows: NEVER_ACCEPTED },
  { table: 'quote_revision', rows: NEVER_ACCEPTED },
  { table: 'quote', rows: `state <> 'ACCEPTED'` },
  { table: 'assignment_run' },
  { table: 'assignment' },
  { table: 'invoice', rows: `status = 'DRAFT'` },
  { table: 'invoice_template' },
  { table: 'customer_group' },
  { table: 'product' },
  { table: 'webhook' },
  { table: 'webhook_event' },
  { table: 'overview_link' },
  // Addresses of customers that go, and what was looked up about them.
  { table: 'statement_delivery' },
  { table: 'payer_account' },
  { table: 'peppol_answer' },
  { table: 'ehf_check' },
  { table: 'member', rows: `role <> 'OWNER'` },
  {
    table: 'customer',
    rows: `id NOT IN (
      SELECT customer_id FROM invoice WHERE company_id = $company AND customer_id IS NOT NULL
      UNION ALL
      SELECT customer_id FROM payment WHERE company_id = $company AND customer_id IS NOT NULL
      UNION ALL
      SELECT customer_id FROM quote_revision WHERE company_id = $company AND customer_id IS NOT NULL)`,
  },
];

const BOOKS = 'Documents, payments, and what was said and done about them (bokføringsloven § 13).';
const PART = 'Goes with the row that it belongs to.';
const SETTINGS = 'What the books were made with, and what reading and exporting them needs.';
const COUNTED = 'Follows from the books.';

/** The tables of companies that stay until the books go, whole or in part, each with the reason. */
export const STAYS_WITH_BOOKS: Readonly<Record<string, string>> = {
  api_token: 'All ended when the company was closed.',
  assignment_customer: PART,
  assignment_line: PART,
  assignment_run_recipient: PART,
  attachment: BOOKS,
  bank_account: SETTINGS,
  bank_entry: BOOKS,
  bank_file: BOOKS,
  company_closing: 'Says when what is deleted.',
  company_logo: SETTINGS,
  customer_group_member: PART,
  delivery: BOOKS,
  delivery_allowance: SETTINGS,
  document: BOOKS,
  document_file: BOOKS,
  ehf_agreement: BOOKS,
  einvoice_evidence: BOOKS,
  einvoice_settings: SETTINGS,
  export: BOOKS,
  export_author: BOOKS,
  export_basis: BOOKS,
  export_link: PART,
  export_listed: PART,
  export_part: 'Files expire within seven days.',
  export_range: BOOKS,
  export_settings: SETTINGS,
  failure_notice: COUNTED,
  history_event: BOOKS,
  invoice_count: COUNTED,
  invoice_day: COUNTED,
  invoice_due: COUNTED,
  invoice_line: BOOKS,
  invoice_link: "Customers' pages go on to show.",
  invoice_template_line: PART,
  kid_agreement: SETTINGS,
  overview_link_use: PART,
  payment: BOOKS,
  peppol_evidence: BOOKS,
  portal_settings: SETTINGS,
  quote_count: COUNTED,
  quote_link: "Customers' pages go on to show. The link of a quote goes with it.",
  quote_part: BOOKS,
  reminder: BOOKS,
  reminder_day: COUNTED,
  reminder_recount: BOOKS,
  reminder_settings: SETTINGS,
  session: 'Belongs to an account. Those of members who are no owners end with their membership.',
  webhook_delivery: PART,
};
