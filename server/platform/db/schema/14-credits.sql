-- CRE-1: an invoice may have several credit notes, each for a part of it. Their sums are kept per line, per VAT treatment
-- and in total.

CREATE FUNCTION line_net(quantity bigint, thousandths smallint, price bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
SELECT round((quantity + thousandths * 0.001) * price)::bigint
$$;

-- The sums of an invoice or credit note, per treatment and rate.
CREATE FUNCTION vat_of_invoice(of_company bigint, of_invoice bigint)
RETURNS TABLE (vat_treatment text, vat_rate integer, net bigint, vat bigint)
LANGUAGE sql STABLE AS $$
SELECT part."vatTreatment", part."vatRate", part.net, part.vat
FROM invoice, jsonb_to_recordset(invoice.vat_subtotals)
  AS part ("vatTreatment" text, "vatRate" integer, net bigint, vat bigint)
WHERE invoice.company_id = of_company AND invoice.id = of_invoice
UNION ALL
SELECT part.vat_treatment, part.vat_rate, part.net, round(part.net * part.vat_rate / 100.0)::bigint
FROM (
  SELECT line.vat_treatment, line.vat_rate,
    sum(line_net(line.quantity, line.thousandths, line.net_unit_amount))::bigint AS net
  FROM invoice JOIN invoice_line line
    ON line.company_id = invoice.company_id AND line.invoice_id = invoice.id
  WHERE invoice.company_id = of_company AND invoice.id = of_invoice
    AND invoice.vat_subtotals IS NULL
  GROUP BY line.vat_treatment, line.vat_rate
) part
$$;

-- The sums of an invoice's credit notes, per treatment and rate.
CREATE FUNCTION credited_vat(of_company bigint, of_invoice bigint)
RETURNS TABLE (vat_treatment text, vat_rate integer, net bigint, vat bigint)
LANGUAGE sql STABLE AS $$
SELECT part.vat_treatment, part.vat_rate, sum(part.net)::bigint, sum(part.vat)::bigint
FROM invoice note CROSS JOIN LATERAL vat_of_invoice(note.company_id, note.id) part
WHERE note.company_id = of_company AND note.credits_invoice_id = of_invoice
  AND note.status <> 'DRAFT'
GROUP BY part.vat_treatment, part.vat_rate
$$;

-- The sums of an invoice's credit notes, per line. A line at the same price counts as a quantity, another one as an amount
-- alone.
CREATE FUNCTION credited_lines(of_company bigint, of_invoice bigint)
RETURNS TABLE (line_id bigint, quantity numeric, net bigint)
LANGUAGE sql STABLE AS $$
SELECT line.credits_line_id,
  COALESCE(sum(line.quantity + line.thousandths * 0.001)
    FILTER (WHERE line.net_unit_amount = own.net_unit_amount), 0),
  sum(line_net(line.quantity, line.thousandths, line.net_unit_amount))::bigint
FROM invoice note JOIN invoice_line line
  ON line.company_id = note.company_id AND line.invoice_id = note.id
LEFT JOIN invoice_line own ON own.company_id = line.company_id AND own.id = line.credits_line_id
WHERE note.company_id = of_company AND note.credits_invoice_id = of_invoice
  AND note.status <> 'DRAFT' AND line.credits_line_id IS NOT NULL
GROUP BY line.credits_line_id
$$;

-- CRE-4: what a credit note says follows from its invoice, and changes what is left of that.
CREATE FUNCTION follow_credit_note() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  credited invoice;
  amount numeric;
  is_all boolean;
BEGIN
  -- The lock comes first, so what is read after it includes what others have committed.
  SELECT * INTO credited FROM invoice
  WHERE company_id = NEW.company_id AND id = NEW.credits_invoice_id FOR NO KEY UPDATE;
  SELECT sum(gross_amount) INTO amount FROM invoice
  WHERE company_id = NEW.company_id AND credits_invoice_id = credited.id AND status <> 'DRAFT';
  IF credited.kind <> 'INVOICE' OR credited.status = 'DRAFT' OR amount > credited.gross_amount
    OR NOT EXISTS (
      SELECT FROM vat_of_invoice(NEW.company_id, NEW.id)
      HAVING sum(net) = NEW.net_amount AND sum(vat) = NEW.vat_amount)
    OR EXISTS (
      SELECT FROM credited_vat(NEW.company_id, credited.id) part
      LEFT JOIN vat_of_invoice(NEW.company_id, credited.id) own USING (vat_treatment, vat_rate)
      WHERE part.net NOT BETWEEN LEAST(0, COALESCE(own.net, 0)) AND GREATEST(0, COALESCE(own.net, 0))
        OR part.vat NOT BETWEEN LEAST(0, COALESCE(own.vat, 0)) AND GREATEST(0, COALESCE(own.vat, 0))
        OR (part.net = own.net AND part.vat <> own.vat))
    OR EXISTS (
      SELECT FROM credited_lines(NEW.company_id, credited.id) part
      LEFT JOIN invoice_line own ON own.company_id = NEW.company_id AND own.id = part.line_id
        AND own.invoice_id = credited.id
      CROSS JOIN LATERAL line_net(own.quantity, own.thousandths, own.net_unit_amount) whole
      WHERE own.id IS NULL OR part.quantity > own.quantity + own.thousandths * 0.001
        OR part.net NOT BETWEEN LEAST(0, whole) AND GREATEST(0, whole))
  THEN
    RAISE EXCEPTION 'an invoice is not credited beyond its lines and sums'
      USING ERRCODE = 'check_violation';
  END IF;
  is_all := NOT EXISTS (
    SELECT FROM vat_of_invoice(NEW.company_id, credited.id) own
    LEFT JOIN credited_vat(NEW.company_id, credited.id) part USING (vat_treatment, vat_rate)
    WHERE own.net <> COALESCE(part.net, 0));
  UPDATE invoice SET
    credited_amount = amount,
    credited_on = CASE WHEN status = 'PAID' THEN credited_on
      ELSE GREATEST(credited_on, NEW.issue_date) END,
    status = CASE WHEN is_all THEN 'CANCELLED' ELSE status END
  WHERE company_id = NEW.company_id AND id = credited.id;
  -- The payments may cover all that is left.
  IF NOT is_all AND credited.status = 'REGISTERED' AND credited.paid_amount > 0
    AND credited.paid_amount = credited.gross_amount - amount
  THEN
    PERFORM settle_invoices(NEW.company_id, ARRAY[credited.id]);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER credit_note_followed AFTER UPDATE ON invoice
  FOR EACH ROW WHEN (NEW.kind = 'CREDIT_NOTE' AND OLD.status = 'DRAFT' AND NEW.status <> 'DRAFT')
  EXECUTE FUNCTION follow_credit_note();

-- Judged when the transaction ends: what was paid beyond the rest becomes credit after the note.
CREATE FUNCTION keep_credited() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM invoice WHERE company_id = NEW.company_id AND id = NEW.id
      AND (paid_amount > gross_amount - credited_amount
        OR (status = 'CANCELLED' AND credited_amount <> gross_amount)))
  THEN
    RAISE EXCEPTION 'an invoice is cancelled by credit notes for all of it, and takes no more than what they leave'
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER invoice_credited_kept AFTER UPDATE ON invoice DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.credited_amount <> OLD.credited_amount
    OR (NEW.status = 'CANCELLED' AND OLD.status <> 'CANCELLED'))
  EXECUTE FUNCTION keep_credited();
