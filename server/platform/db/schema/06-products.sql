-- Products that a company sells.

CREATE TABLE product (
  company_id bigint NOT NULL REFERENCES company (id),
  id bigint GENERATED ALWAYS AS IDENTITY,
  number text NOT NULL
    CONSTRAINT product_number CHECK (length(number) BETWEEN 1 AND 20 AND number !~ '[[:cntrl:]/]'),
  -- Written by the server, which folds æøå in any locale.
  number_key text NOT NULL CONSTRAINT product_number_key
    CHECK (number_key = lower(number COLLATE "C") OR octet_length(number) > length(number)),
  number_order text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
    CASE WHEN number ~ '^[0-9]+$' THEN lpad(number, 20, '0') ELSE number_key END) STORED,
  name text NOT NULL CONSTRAINT product_name CHECK (length(name) BETWEEN 1 AND 255),
  description text CONSTRAINT product_description CHECK (length(description) BETWEEN 1 AND 1000),
  unit text CONSTRAINT product_unit CHECK (unit ~ '^[0-9A-Z]{2,3}$'),
  -- Øre without VAT.
  net_price bigint NOT NULL CONSTRAINT product_net_price
    CHECK (net_price BETWEEN -9007199254740991 AND 9007199254740991),
  vat_treatment text CONSTRAINT product_vat_treatment CHECK (vat_treatment IN ('STANDARD', 'FOOD',
    'REDUCED', 'EXEMPT', 'EXPORT', 'OUTSIDE', 'REVERSE', 'NOT_REGISTERED')),
  active boolean NOT NULL,
  -- Written by the server, as that of a customer.
  search_text text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (company_id, id),
  -- PRD-2
  CONSTRAINT product_number_once UNIQUE (company_id, number_key)
);
CREATE INDEX product_order ON product (company_id, number_order, number_key);
CREATE INDEX product_search ON product USING gin (company_id, search_text gin_trgm_ops);
CREATE TRIGGER version BEFORE UPDATE ON product
  FOR EACH ROW EXECUTE FUNCTION count_version();
