-- Customers and their groups. Every foreign key carries the company, so no row can point to another company's.

-- Trusted extensions: the owner of the database may create them.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- The Norwegian order of names in any locale, ignoring case: in ASCII {, | and } follow z, as æ, ø and å do. Only 60
-- letters, because an index entry has a limit. Few replaced letters, because each letter of a name is looked up
-- among them.
-- Not STRICT, which would keep PostgreSQL from inlining it.
CREATE FUNCTION name_order(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT CASE WHEN octet_length(name) = length(name) THEN lower(left(name, 60) COLLATE "C")
  ELSE translate(lower(left(name, 60) COLLATE "C"), 'ÆæÄäØøÖöÅåÉéÈèÜü', '{{{{||||}}eeeeuu')
  END COLLATE "C"
$$;

CREATE TABLE customer (
  company_id bigint NOT NULL REFERENCES company (id),
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_number integer NOT NULL CHECK (customer_number BETWEEN 1 AND 9999999),
  name text NOT NULL,
  email text,
  org_number text,
  phone_number text,
  address1 text,
  address2 text,
  postal_code text,
  city text,
  country text NOT NULL DEFAULT 'NO',
  vat_number text,
  is_private boolean NOT NULL DEFAULT false,
  contact_name text,
  -- A new invoice of this customer begins with these.
  invoice_emails text[] NOT NULL DEFAULT '{}',
  reference text,
  due_days integer,
  delivery_type text,
  -- Written by the server, which folds æøå in any locale.
  search_text text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  -- Øre: unallocated payments of this customer, kept by the triggers of payment.
  credit bigint NOT NULL DEFAULT 0,
  UNIQUE (company_id, customer_number),
  UNIQUE (company_id, id),
  CONSTRAINT customer_contact_name CHECK (length(contact_name) BETWEEN 1 AND 255),
  CONSTRAINT customer_country CHECK (country ~ '^[A-Z]{2}$'),
  CONSTRAINT customer_delivery_type CHECK (delivery_type IN ('NONE', 'EMAIL', 'EHF', 'EFAKTURA')),
  CONSTRAINT customer_due_days CHECK (due_days BETWEEN 1 AND 36500),
  CONSTRAINT customer_invoice_emails
    CHECK (cardinality(invoice_emails) <= 5 AND array_position(invoice_emails, NULL) IS NULL),
  CONSTRAINT customer_private CHECK (NOT is_private OR (org_number IS NULL AND delivery_type IS DISTINCT FROM 'EHF')),
  CONSTRAINT customer_reference CHECK (length(reference) BETWEEN 1 AND 100),
  CONSTRAINT customer_vat_number CHECK (vat_number ~ '^[A-Z]{2}[0-9A-Z]{2,13}$')
);
CREATE INDEX customer_search ON customer USING gin (company_id, search_text gin_trgm_ops);
CREATE TRIGGER version BEFORE UPDATE OF customer_number, name, email, org_number, phone_number, address1,
    address2, postal_code, city, search_text, country, contact_name, invoice_emails, reference, due_days,
    delivery_type, is_private, vat_number ON customer
  FOR EACH ROW EXECUTE FUNCTION count_version();

CREATE TABLE customer_group (
  company_id bigint NOT NULL REFERENCES company (id),
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  uuid uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  group_name text NOT NULL,
  search_text text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  UNIQUE (company_id, id)
);
CREATE INDEX customer_group_search ON customer_group USING gin (company_id, search_text gin_trgm_ops);
CREATE TRIGGER version BEFORE UPDATE ON customer_group
  FOR EACH ROW EXECUTE FUNCTION count_version();

CREATE TABLE customer_group_member (
  company_id bigint NOT NULL,
  group_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  PRIMARY KEY (group_id, customer_id),
  FOREIGN KEY (company_id, customer_id) REFERENCES customer (company_id, id) ON DELETE CASCADE,
  FOREIGN KEY (company_id, group_id) REFERENCES customer_group (company_id, id) ON DELETE CASCADE
);
CREATE INDEX customer_group_member_customer ON customer_group_member (company_id, customer_id);

-- Forms name customers by number. When a customer gets another number or is deleted, everything that names the
-- customer
-- becomes a new version, so a form that was read before is refused.
CREATE FUNCTION count_versions_of_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE customer_group SET group_name = group_name
  FROM customer_group_member member
  WHERE member.company_id = OLD.company_id AND member.customer_id = OLD.id
    AND customer_group.company_id = OLD.company_id AND customer_group.id = member.group_id;
  UPDATE assignment SET name = name
  FROM assignment_customer named
  WHERE named.company_id = OLD.company_id AND named.customer_id = OLD.id
    AND assignment.company_id = OLD.company_id AND assignment.id = named.assignment_id;
  -- A customer with drafts is never deleted.
  IF TG_OP = 'UPDATE' THEN
    UPDATE invoice SET message = message
    WHERE company_id = OLD.company_id AND customer_id = OLD.id AND status = 'DRAFT';
    RETURN NEW;
  END IF;
  RETURN OLD;
END
$$;
CREATE TRIGGER count_versions_at_deletion BEFORE DELETE ON customer
  FOR EACH ROW EXECUTE FUNCTION count_versions_of_customer();
CREATE TRIGGER count_versions_at_renumbering AFTER UPDATE OF customer_number ON customer
  FOR EACH ROW WHEN (OLD.customer_number <> NEW.customer_number) EXECUTE FUNCTION count_versions_of_customer();
