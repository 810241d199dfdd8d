-- Templates of invoices.

CREATE TABLE invoice_template (
  company_id bigint NOT NULL REFERENCES company (id),
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  delivery_type text NOT NULL,
  due_days integer NOT NULL CHECK (due_days > 0),
  version integer NOT NULL DEFAULT 1,
  UNIQUE (company_id, id)
);
CREATE TRIGGER version BEFORE UPDATE ON invoice_template
  FOR EACH ROW EXECUTE FUNCTION count_version();

-- VAT-1: the treatment of a line that states a rate alone.
CREATE FUNCTION treat_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.vat_treatment := CASE NEW.vat_rate
    WHEN 25 THEN 'STANDARD' WHEN 15 THEN 'FOOD' WHEN 12 THEN 'REDUCED' WHEN 6 THEN 'REDUCED'
    ELSE CASE WHEN (SELECT vat_registered FROM company WHERE id = NEW.company_id)
      THEN 'EXEMPT' ELSE 'NOT_REGISTERED' END END;
  RETURN NEW;
END
$$;

CREATE TABLE invoice_template_line (
  company_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  template_id integer NOT NULL,
  "position" integer NOT NULL,
  quantity bigint NOT NULL,
  thousandths smallint NOT NULL DEFAULT 0,
  unit text,
  description text NOT NULL,
  net_unit_amount bigint NOT NULL,
  vat_rate integer NOT NULL,
  vat_treatment text,
  product_number text,
  FOREIGN KEY (company_id, template_id) REFERENCES invoice_template (company_id, id) ON DELETE CASCADE,
  CONSTRAINT invoice_template_line_quantity CHECK (quantity >= 0 AND (thousandths BETWEEN 0 AND 999)
    AND (quantity <> 0 OR thousandths <> 0) AND (thousandths = 0 OR unit IS NOT NULL)),
  CONSTRAINT invoice_template_line_unit CHECK (unit ~ '^[0-9A-Z]{2,3}$'),
  CONSTRAINT invoice_template_line_product CHECK (length(product_number) BETWEEN 1 AND 20),
  CONSTRAINT invoice_template_line_vat CHECK (vat_treatment IS NOT NULL
    AND ((vat_treatment = 'STANDARD' AND vat_rate = 25) OR (vat_treatment = 'FOOD' AND vat_rate = 15)
      OR (vat_treatment = 'REDUCED' AND vat_rate IN (6, 12))
      OR (vat_treatment IN ('EXEMPT', 'EXPORT', 'OUTSIDE', 'REVERSE', 'NOT_REGISTERED') AND vat_rate = 0)))
);
CREATE INDEX invoice_template_line_template ON invoice_template_line (company_id, template_id, "position");
CREATE TRIGGER invoice_template_line_treated BEFORE INSERT ON invoice_template_line
  FOR EACH ROW WHEN (NEW.vat_treatment IS NULL) EXECUTE FUNCTION treat_line();
CREATE TRIGGER invoice_template_line_treated_anew BEFORE UPDATE ON invoice_template_line
  FOR EACH ROW WHEN (NEW.vat_treatment IS NULL
    OR (NEW.vat_rate <> OLD.vat_rate AND NEW.vat_treatment = OLD.vat_treatment))
  EXECUTE FUNCTION treat_line();
