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
  vat_rate integer NOT NULL CHECK (vat_rate IN (0, 15, 25)),
  FOREIGN KEY (company_id, template_id) REFERENCES invoice_template (company_id, id) ON DELETE CASCADE,
  CONSTRAINT invoice_template_line_quantity CHECK (quantity >= 0 AND (thousandths BETWEEN 0 AND 999)
    AND (quantity <> 0 OR thousandths <> 0) AND (thousandths = 0 OR unit IS NOT NULL)),
  CONSTRAINT invoice_template_line_unit CHECK (unit ~ '^[0-9A-Z]{2,3}$')
);
CREATE INDEX invoice_template_line_template ON invoice_template_line (company_id, template_id, "position");
