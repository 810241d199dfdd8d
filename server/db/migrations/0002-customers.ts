import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** Customers, groups and templates. Every foreign key carries the company: no row can point across. */
export const customers: Migration = { up, runsBeside: null };

async function up(db: Kysely<unknown>): Promise<void> {
  // Both are trusted extensions: the owner of the database may create them.
  await sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`.execute(db);
  await sql`CREATE EXTENSION IF NOT EXISTS btree_gin`.execute(db);

  await sql`
    CREATE TABLE customer (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      company_id bigint NOT NULL REFERENCES company,
      customer_number integer NOT NULL CHECK (customer_number BETWEEN 1 AND 9999999),
      name text NOT NULL,
      email text,
      org_number text,
      phone_number text,
      address1 text,
      address2 text,
      postal_code text,
      city text,
      -- Written by the server, which knows how to fold æøå whatever the database's locale.
      search_text text NOT NULL,
      UNIQUE (company_id, customer_number),
      UNIQUE (company_id, id)
    )`.execute(db);
  await sql`
    CREATE INDEX customer_search ON customer USING gin (company_id, search_text gin_trgm_ops)
  `.execute(db);

  await sql`
    CREATE TABLE customer_group (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
      company_id bigint NOT NULL REFERENCES company,
      group_name text NOT NULL,
      search_text text NOT NULL,
      UNIQUE (company_id, id)
    )`.execute(db);
  await sql`
    CREATE INDEX customer_group_search ON customer_group
    USING gin (company_id, search_text gin_trgm_ops)`.execute(db);

  await sql`
    CREATE TABLE customer_group_member (
      company_id bigint NOT NULL,
      group_id bigint NOT NULL,
      customer_id bigint NOT NULL,
      PRIMARY KEY (group_id, customer_id),
      FOREIGN KEY (company_id, group_id) REFERENCES customer_group (company_id, id)
        ON DELETE CASCADE,
      FOREIGN KEY (company_id, customer_id) REFERENCES customer (company_id, id)
        ON DELETE CASCADE
    )`.execute(db);
  await sql`
    CREATE INDEX customer_group_member_customer ON customer_group_member (company_id, customer_id)
  `.execute(db);

  await sql`
    CREATE TABLE invoice_template (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      company_id bigint NOT NULL REFERENCES company,
      name text NOT NULL,
      delivery_type text NOT NULL,
      due_days integer NOT NULL CHECK (due_days > 0),
      UNIQUE (company_id, id)
    )`.execute(db);
  await sql`
    CREATE TABLE invoice_template_line (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      company_id bigint NOT NULL,
      template_id integer NOT NULL,
      position integer NOT NULL,
      quantity bigint NOT NULL CHECK (quantity >= 1),
      description text NOT NULL,
      net_unit_amount bigint NOT NULL,
      vat_rate integer NOT NULL CHECK (vat_rate IN (0, 15, 25)),
      FOREIGN KEY (company_id, template_id) REFERENCES invoice_template (company_id, id)
        ON DELETE CASCADE
    )`.execute(db);
  await sql`
    CREATE INDEX invoice_template_line_template
    ON invoice_template_line (company_id, template_id, position)`.execute(db);
}
