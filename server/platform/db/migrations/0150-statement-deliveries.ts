import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/** 0150: statements that are mailed (PORT-38). */
export const statementDeliveries: Migration = {
  up: async (db) => {
    await sql`
      CREATE TABLE statement_delivery (
        company_id bigint NOT NULL REFERENCES company (id),
        id bigint GENERATED ALWAYS AS IDENTITY,
        uuid uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
        customer_id bigint NOT NULL,
        from_date date NOT NULL,
        to_date date NOT NULL,
        -- [{ address, status, reason }]
        recipients jsonb NOT NULL,
        sent_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (company_id, id),
        FOREIGN KEY (company_id, customer_id) REFERENCES customer (company_id, id) ON DELETE CASCADE,
        CONSTRAINT statement_delivery_period CHECK (from_date <= to_date),
        CONSTRAINT statement_delivery_recipients CHECK (jsonb_array_length(recipients) > 0))`.execute(
      db,
    );
    await sql`
      CREATE INDEX statement_delivery_of_customer
        ON statement_delivery (company_id, customer_id, id)`.execute(db);
  },
};
