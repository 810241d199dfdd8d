// All fields of the answer.
const PARTS = `
  i.id, i.uuid, i.kind, i.status, i.delivery_type, i.delivery_status, i.issue_date, i.due_days,
  i.due_date, i.delivery_date, i.reference, i.message, i.net_amount, i.vat_amount, i.gross_amount,
  i.paid_amount, i.paid_date, i.reminder_amount, i.disputed, i.disputed_note, i.invoice_number, i.kid,
  i.kid_modulus, i.buyer, i.bank_account_number, i.version, i.registered_at,
  note.uuid AS note_uuid, note.invoice_number AS note_number,
  original.uuid AS original_uuid, original.invoice_number AS original_number,
  (SELECT json_agg(json_build_object('id', id, 'quantity', quantity + thousandths * 0.001, 'unit', unit,
     'description', description, 'price', net_unit_amount, 'vat', vat_rate) ORDER BY position)
   FROM invoice_line WHERE company_id = i.company_id AND invoice_id = i.id) AS lines,
  (SELECT json_agg(json_build_object('uuid', uuid, 'type', delivery_type, 'status', status,
     'recipient', recipient, 'sent_time', sent_time, 'failure', failure_reason,
     'waiting', waiting_reason, 'deferred', deferred_until, 'stopped', stopped_by) ORDER BY id)
   FROM delivery
   WHERE company_id = i.company_id AND invoice_id = i.id AND reminder_principal IS NULL) AS deliveries`;
const CREDITS = `
  LEFT JOIN invoice note ON note.company_id = i.company_id AND note.credits_invoice_id = i.id
  LEFT JOIN invoice original
    ON original.company_id = i.company_id AND original.id = i.credits_invoice_id`;

/**
 * The database reads of API calls, written by hand for the same answer: one prepared statement through the same
 * driver. No session, no presentation, no HTTP.
 */
export const BARE_READS = {
  /** A page, with the counts of the whole account. */
  list: {
    name: 'bare-list',
    text: `SELECT counts.drafts, counts.registered, counts.paid, counts.cancelled, counts.sent,
        counts.outstanding, counts.outstanding_amount,
        (SELECT min(issue_date) FROM invoice WHERE company_id = $1 AND delivery_status = 'SENT'),
        (SELECT max(issue_date) FROM invoice WHERE company_id = $1 AND delivery_status = 'SENT'),
        later.many, later.amount, ${PARTS}
      FROM invoice_count counts
      CROSS JOIN (SELECT sum(outstanding) AS many, sum(outstanding_amount) AS amount
        FROM invoice_due WHERE company_id = $1 AND due_date >= current_date) later
      JOIN invoice i USING (company_id) ${CREDITS}
      WHERE i.company_id = $1
      ORDER BY i.invoice_number DESC NULLS FIRST, i.id DESC LIMIT 20`,
  },
  rows: {
    name: 'bare-rows',
    text: `SELECT * FROM invoice WHERE company_id = $1
      ORDER BY invoice_number DESC NULLS FIRST, id DESC LIMIT 20`,
  },
  one: {
    name: 'bare-one',
    text: `SELECT ${PARTS} FROM invoice i ${CREDITS} WHERE i.company_id = $1 AND i.invoice_number = $2`,
  },
} as const;
