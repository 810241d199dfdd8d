const PARTS = `
  i.id, i.uuid, i.kind, i.status, i.delivery_type, i.delivery_status, i.issue_date, i.due_days,
  i.due_date, i.delivery_date, i.reference, i.net_amount, i.vat_amount, i.gross_amount,
  i.paid_date, i.invoice_number, i.kid, i.buyer, i.bank_account_number,
  (SELECT json_agg(json_build_object('id', id, 'quantity', quantity, 'description', description,
     'price', net_unit_amount, 'vat', vat_rate) ORDER BY position)
   FROM invoice_line WHERE company_id = i.company_id AND invoice_id = i.id) AS lines,
  (SELECT json_agg(json_build_object('uuid', uuid, 'status', status, 'recipient', recipient,
     'sent_time', sent_time) ORDER BY id)
   FROM delivery WHERE company_id = i.company_id AND invoice_id = i.id) AS deliveries`;

/**
 * What the calls of the API ask of the database, as somebody would write it by hand: one prepared
 * statement through the same driver, and nothing around it. No session, no presentation, no HTTP.
 */
export const BARE_READS = {
  /** A page with what the answer says about the whole account. */
  list: {
    name: 'bare-list',
    text: `SELECT counts.drafts, counts.registered, counts.paid, counts.cancelled, counts.sent,
        (SELECT min(issue_date) FROM invoice WHERE company_id = $1 AND delivery_status = 'SENT'),
        (SELECT max(issue_date) FROM invoice WHERE company_id = $1 AND delivery_status = 'SENT'),
        ${PARTS}
      FROM invoice_count counts JOIN invoice i USING (company_id) WHERE i.company_id = $1
      ORDER BY i.invoice_number DESC NULLS FIRST, i.id DESC LIMIT 20`,
  },
  rows: {
    name: 'bare-rows',
    text: `SELECT * FROM invoice WHERE company_id = $1
      ORDER BY invoice_number DESC NULLS FIRST, id DESC LIMIT 20`,
  },
  one: {
    name: 'bare-one',
    text: `SELECT ${PARTS} FROM invoice i WHERE i.company_id = $1 AND i.invoice_number = $2`,
  },
} as const;
