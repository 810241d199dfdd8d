import type { MailRecipient } from '../../../domain/delivery/mail-recipients.ts';
import type { CopiedTable } from '../../platform/db/company-rows.ts';

const PAYER_HASH = ['payer_account_hash'] as const;

/** Revisions have no id, so no foreign key leads to that of the quote. */
const OF_QUOTE = { quote_id: 'quote' } as const;

/** The tables of an archive, each after those that it refers to. */
export const ARCHIVED_TABLES: readonly CopiedTable[] = [
  { name: 'account', only: ['email', 'created_at'] },
  // Limits of new companies count from the restoring (EXP-47).
  { name: 'company', leftOut: ['created_at', 'access_changes', 'closed_at'] },
  { name: 'bank_account' },
  { name: 'kid_agreement' },
  { name: 'company_logo', leftOut: ['content'] },
  { name: 'reminder_settings' },
  { name: 'export_settings' },
  { name: 'einvoice_settings' },
  { name: 'portal_settings' },
  { name: 'customer' },
  { name: 'customer_group' },
  { name: 'customer_group_member' },
  { name: 'product' },
  { name: 'invoice_template' },
  { name: 'invoice_template_line' },
  // Told by the deliveries.
  { name: 'invoice', leftOut: ['not_arrived'] },
  { name: 'invoice_line', refersTo: { credits_line_id: 'invoice_line' } },
  { name: 'invoice_count' },
  { name: 'invoice_due' },
  { name: 'document' },
  { name: 'document_file', leftOut: ['home', 'content'] },
  { name: 'attachment', leftOut: ['home', 'content'] },
  { name: 'history_event' },
  { name: 'einvoice_evidence' },
  { name: 'bank_file' },
  {
    name: 'bank_entry',
    leftOut: PAYER_HASH,
    refersTo: { invoice_id: 'invoice' },
    withInvoiceIds: ['placements', 'suggestion'],
  },
  { name: 'payment', leftOut: PAYER_HASH, withInvoiceIds: ['suggestion'] },
  {
    name: 'export',
    upTo: { after_payment_id: 'payment', through_payment_id: 'payment' },
  },
  {
    name: 'export_range',
    upTo: { after_payment_id: 'payment', through_payment_id: 'payment' },
  },
  { name: 'reminder_day' },
  { name: 'reminder' },
  { name: 'reminder_recount' },
  { name: 'delivery' },
  { name: 'peppol_evidence' },
  { name: 'quote' },
  { name: 'quote_count' },
  { name: 'quote_revision' },
  { name: 'quote_line', refersTo: OF_QUOTE },
  { name: 'quote_document', leftOut: ['home', 'content'], refersTo: OF_QUOTE },
  { name: 'quote_attachment', leftOut: ['home', 'content'], refersTo: OF_QUOTE },
  { name: 'quote_event' },
  { name: 'quote_delivery' },
  { name: 'quote_part' },
  { name: 'assignment' },
  { name: 'assignment_line' },
  { name: 'assignment_customer' },
  { name: 'assignment_run' },
  { name: 'assignment_run_recipient' },
];

const SECRET = 'Codes, tokens and their hashes: nobody logs in with an archive.';
const INSTALLATION = 'Belongs to the installation, not to a company.';
const HANDED_OUT =
  'Files of exports, and what they are made of: made anew when somebody asks for them.';

/** Tables that are in no archive, with the reason (EXP-41). */
export const LEFT_OUT_TABLES: Readonly<Record<string, string>> = {
  api_token: SECRET,
  login_challenge: SECRET,
  member: 'A restored company has its owner alone, who invites the others again.',
  session: SECRET,
  passkey: 'Keys of people, who log in at one installation with them.',
  passkey_challenge: SECRET,
  known_browser: 'Browsers that people have logged in from, at this installation.',
  export_author:
    'Accounts and tokens of this installation; a restored company has its owner alone.',
  export_basis: HANDED_OUT,
  export_link: SECRET,
  export_listed: HANDED_OUT,
  export_part: HANDED_OUT,
  invoice_link: SECRET,
  overview_link: SECRET,
  overview_link_use: SECRET,
  quote_link: SECRET,
  webhook: 'Others are told of what happens in this installation; a restored company tells nobody.',
  webhook_delivery: 'Messages of a month to others.',
  webhook_event: 'Messages to others that are about to be made.',
  webhook_switch: INSTALLATION,
  delivery_allowance: 'The operator of each installation decides how much a company may mail.',
  ehf_agreement:
    'The operator of each installation approves who sends EHF through its access point.',
  company_closing: 'A restored company is open.',
  closed_books: INSTALLATION,
  deleted_object: INSTALLATION,
  invoice_day: 'Summed anew from the invoices and payments of a restored company.',
  statement_delivery: 'Mails with a statement, which is made anew from the books at any time.',
  failure_notice: 'A mail to the owner that is on its way; a restored company mails nothing.',
  payer_account: 'Hashes with the secret of the installation, useless in another one.',
  ehf_check: 'How far asking the network about all customers is; they are asked about again.',
  peppol_answer: 'Answers of the network, which is asked again.',
  late_payment_rate: INSTALLATION,
  mail_refusal: INSTALLATION,
  migration: INSTALLATION,
  newsletter_subscriber: INSTALLATION,
  peppol_event: INSTALLATION,
  rate_limit: INSTALLATION,
  idempotency_key: 'Answers of one day, for callers who did not get them.',
  suppressed_address: INSTALLATION,
};

type ArchivedRow = Record<string, unknown>;

/** The text that the owner sees beside a delivery that was under way. */
const NOT_SENT = 'Ikke sendt: fakturaen var på vei da arkivet ble laget. Send den på nytt.';

function withoutQueued(one: MailRecipient): MailRecipient {
  if (one.status !== 'QUEUED') return one;
  return { address: one.address, status: 'FAILED', reason: QUOTE_NOT_SENT };
}

const QUOTE_NOT_SENT = 'Ikke sendt: tilbudet var på vei da arkivet ble laget. Send det på nytt.';

/** A delivery whose addresses that were tried again have failed. */
function withoutRemaining(row: ArchivedRow): ArchivedRow {
  const remaining = (row['remaining'] ?? []) as readonly string[];
  if (remaining.length === 0) return row;
  const failed = remaining.map((address) => ({ address, reason: NOT_SENT }));
  return {
    ...row,
    remaining: [],
    refused: [...(row['refused'] as readonly object[]), ...failed],
    unreached: [...(row['unreached'] as readonly string[]), ...remaining],
    leased_until: null,
    deferred_until: null,
  };
}

/**
 * Stops deliveries, assignments and automatic reminders, so that a restored company sends nothing before its owner asks
 * for it (EXP-47).
 */
export const STOPPED: Readonly<Record<string, (row: ArchivedRow) => ArchivedRow>> = {
  invoice: (row) =>
    row['delivery_status'] === 'PENDING' || row['delivery_status'] === 'QUEUED'
      ? { ...row, delivery_status: 'FAILED' }
      : row,
  delivery: (row) => {
    // Mails that another installation counted do not count here, where the company is new.
    const reported = { ...row, owner_told: true, ask_again_at: null, counted_at: null };
    if (row['status'] !== 'QUEUED') return withoutRemaining(reported);
    return {
      ...reported,
      status: 'FAILED',
      failure_reason: NOT_SENT,
      failed_at: row['created_at'],
      may_have_arrived: row['may_have_arrived'] === true || row['leased_until'] !== null,
      leased_until: null,
      deferred_until: null,
      waiting_reason: null,
      remaining: null,
    };
  },
  quote_delivery: (row) => {
    const recipients = row['recipients'] as readonly MailRecipient[];
    return { ...row, recipients: recipients.map(withoutQueued), owner_told: true };
  },
  reminder_settings: (row) => ({ ...row, automatic: false }),
  // The files of exports are not in an archive; their rows say what was handed out.
  export: (row) =>
    row['state'] === 'DONE'
      ? { ...row, expires_at: row['created_at'] }
      : { ...row, state: 'FAILED', expires_at: null },
  assignment: (row) =>
    row['state'] === 'ACTIVE' ? { ...row, state: 'PAUSED', next_date: null, obstacle: null } : row,
  // A run that had not ended goes on with drafts.
  assignment_run: (row) => (row['finished_at'] === null ? { ...row, mode: 'DRAFT' } : row),
};
