import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * What was issued is a row of its own: the very text that was hashed, and the files made from it. No
 * process of before can register beside it, for it does not write that text.
 */
export const documents: Migration = { up, runsBeside: null };

/** Texts that are written by one statement. */
const BATCH = 1000;

async function up(db: Kysely<unknown>): Promise<void> {
  // A process of before that still runs fails, and registers nothing that would be left out.
  await sql`LOCK TABLE invoice, sent_document IN ACCESS EXCLUSIVE MODE`.execute(db);
  await createTable(db);
  await writeTexts(db);
  await moveFiles(db);
  await forgetHashes(db);
  await keepDocuments(db);
  await keepChain(db);
}

async function createTable(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE document (
      company_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      uuid uuid NOT NULL DEFAULT gen_random_uuid(),
      kind text NOT NULL CHECK (kind IN ('INVOICE', 'CREDIT_NOTE')),
      invoice_id bigint NOT NULL,
      version smallint NOT NULL CHECK (version > 0),
      -- The bytes that the hash is of, after those of the previous hash.
      content text NOT NULL,
      previous_hash bytea CHECK (length(previous_hash) = 32),
      hash bytea NOT NULL CHECK (length(hash) = 32),
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (company_id, id),
      UNIQUE (company_id, uuid),
      FOREIGN KEY (company_id, invoice_id) REFERENCES invoice (company_id, id)
    )`.execute(db);
}

/**
 * The texts of all that is registered. A hash stays what it was: where it is not that of the text,
 * something was changed, and the check of the ledger says so as before.
 */
async function writeTexts(db: Kysely<unknown>): Promise<void> {
  for (let after: Place = { company: '0', number: '0' }; ;) {
    const batch = await readBatch(db, after);
    const last = batch.at(-1);
    if (!last) break;
    await writeBatch(db, batch);
    after = last;
  }
  await sql`
    CREATE UNIQUE INDEX document_of_invoice ON document (company_id, invoice_id)
    WHERE kind IN ('INVOICE', 'CREDIT_NOTE')`.execute(db);
  await sql`ANALYZE document`.execute(db);
}

interface Place {
  readonly company: string;
  readonly number: string;
}

interface Issued extends Place {
  readonly id: string;
  /** JSON, as whose numbers come whatever the driver makes of PostgreSQL's. */
  readonly content: string;
}

/** The next registered invoices as version 1.0 read them to hash them. */
async function readBatch(db: Kysely<unknown>, after: Place): Promise<Issued[]> {
  const { rows } = await sql<Issued>`
    SELECT invoice.company_id::text AS company, invoice.invoice_number::text AS number,
      invoice.id::text AS id,
      json_build_object(
        'kind', invoice.kind, 'invoiceNumber', invoice.invoice_number,
        'issueDate', invoice.issue_date, 'dueDate', invoice.due_date,
        'deliveryDate', invoice.delivery_date, 'reference', invoice.reference,
        'kid', invoice.kid, 'bankAccountNumber', invoice.bank_account_number,
        'credits', CASE WHEN original.invoice_number IS NOT NULL THEN json_build_object(
          'invoiceNumber', original.invoice_number, 'issueDate', original.issue_date) END,
        'seller', invoice.seller, 'buyer', invoice.buyer,
        'lines', (
          SELECT COALESCE(json_agg(json_build_object('quantity', quantity,
            'description', description, 'netUnitAmount', net_unit_amount, 'vatRate', vat_rate)
            ORDER BY position), '[]')
          FROM invoice_line line
          WHERE line.company_id = invoice.company_id AND line.invoice_id = invoice.id)
      )::text AS content
    FROM invoice
    LEFT JOIN invoice original ON original.company_id = invoice.company_id
      AND original.id = invoice.credits_invoice_id
    WHERE invoice.status <> 'DRAFT' AND (invoice.company_id, invoice.invoice_number)
      > (${after.company}::bigint, ${after.number}::bigint)
    ORDER BY invoice.company_id, invoice.invoice_number LIMIT ${BATCH}`.execute(db);
  return rows;
}

async function writeBatch(db: Kysely<unknown>, batch: readonly Issued[]): Promise<void> {
  const texts = batch.map(({ company, id, content }) => ({
    company_id: company,
    id,
    content: textOfVersion1(JSON.parse(content) as object),
  }));
  await sql`
    INSERT INTO document
      (company_id, kind, invoice_id, version, content, previous_hash, hash, created_at)
    SELECT company_id, kind, id, document_version, given.content, previous_hash, document_hash,
      registered_at
    FROM json_to_recordset(${JSON.stringify(texts)}::text::json)
      AS given (company_id bigint, id bigint, content text)
    JOIN invoice USING (company_id, id)
    ORDER BY company_id, invoice_number`.execute(db);
}

/** Names of fields; where a field is an object or a list of them, with the names of theirs. */
interface FieldNames {
  readonly [field: string]: true | FieldNames;
}

const ADDRESS = { address1: true, address2: true, postalCode: true, city: true } as const;

const VERSION_1: FieldNames = {
  kind: true,
  invoiceNumber: true,
  issueDate: true,
  dueDate: true,
  deliveryDate: true,
  reference: true,
  kid: true,
  bankAccountNumber: true,
  credits: { invoiceNumber: true, issueDate: true },
  seller: {
    name: true,
    orgNumber: true,
    email: true,
    vatRegistered: true,
    foretaksregisteret: true,
    ...ADDRESS,
  },
  buyer: { customerNumber: true, name: true, orgNumber: true, email: true, ...ADDRESS },
  lines: { quantity: true, description: true, netUnitAmount: true, vatRate: true },
};

/** What version 1.0 hashed, as it did it: nothing of this may ever change. */
function textOfVersion1(content: object): string {
  return JSON.stringify(canonical(content, VERSION_1));
}

function canonical(value: unknown, fields: FieldNames): unknown {
  if (Array.isArray(value)) return value.map((item) => canonical(item, fields));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, content]) => Object.hasOwn(fields, name) || (content ?? null) !== null)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, content]) => [name, canonical(content, fieldsOf(fields, name))]),
  );
}

function fieldsOf(fields: FieldNames, name: string): FieldNames {
  const names = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof names === 'object' ? names : {};
}

/** The files stay where they are, byte for byte; they get another key. */
async function moveFiles(db: Kysely<unknown>): Promise<void> {
  await sql`DROP TRIGGER sent_document_kept ON sent_document`.execute(db);
  await sql`DROP FUNCTION keep_sent_document`.execute(db);
  await sql`ALTER TABLE sent_document RENAME TO document_file`.execute(db);
  await sql`ALTER TABLE document_file ADD COLUMN document_id bigint`.execute(db);
  await sql`
    UPDATE document_file file SET document_id = document.id FROM document
    WHERE document.company_id = file.company_id AND document.invoice_id = file.invoice_id
  `.execute(db);
  await sql`
    ALTER TABLE document_file
      DROP CONSTRAINT sent_document_pkey,
      DROP COLUMN invoice_id,
      ADD PRIMARY KEY (company_id, document_id, format),
      ADD FOREIGN KEY (company_id, document_id) REFERENCES document (company_id, id)`.execute(db);
}

/** The document has them now. */
async function forgetHashes(db: Kysely<unknown>): Promise<void> {
  // With the columns goes the check that names one of them.
  await sql`
    ALTER TABLE invoice
      DROP COLUMN previous_hash, DROP COLUMN document_hash, DROP COLUMN document_version,
      ADD CONSTRAINT invoice_registered CHECK (status = 'DRAFT' OR (
        gross_amount >= 0 AND seller IS NOT NULL AND buyer IS NOT NULL
        AND bank_account_number IS NOT NULL AND registered_at IS NOT NULL
        AND search_text IS NOT NULL AND (kid IS NOT NULL OR kind = 'CREDIT_NOTE')))`.execute(db);
}

/** A document and its files are never changed or deleted, and nothing is registered without one. */
async function keepDocuments(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION keep_documents() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'a document is kept as it was issued' USING ERRCODE = 'check_violation';
    END $$`.execute(db);
  for (const table of ['document', 'document_file']) {
    await sql`
      CREATE TRIGGER ${sql.raw(`${table}_kept`)} BEFORE UPDATE OR DELETE OR TRUNCATE
      ON ${sql.table(table)} FOR EACH STATEMENT EXECUTE FUNCTION keep_documents()`.execute(db);
  }
  await sql`
    CREATE FUNCTION require_document() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NOT EXISTS (
        SELECT FROM document
        WHERE company_id = NEW.company_id AND invoice_id = NEW.id
          AND kind IN ('INVOICE', 'CREDIT_NOTE'))
      THEN
        RAISE EXCEPTION 'invoice % was registered without a document', NEW.id
          USING ERRCODE = 'check_violation';
      END IF;
      RETURN NULL;
    END $$`.execute(db);
  // At commit: the number is given first, and the document that bears it is issued then.
  await sql`
    CREATE CONSTRAINT TRIGGER invoice_issued AFTER UPDATE ON invoice
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (OLD.status = 'DRAFT' AND NEW.status <> 'DRAFT')
    EXECUTE FUNCTION require_document()`.execute(db);
}

/**
 * What is issued goes on from where the company's chain ends, in the order of its numbers, up to the
 * last number that was given; the company then records where the chain ends now.
 */
async function keepChain(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION extend_chain() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE broken bigint;
    BEGIN
      SELECT linked.company_id INTO broken
      FROM (
        SELECT added.company_id, added.previous_hash, added.hash, added.content, added.kind,
          invoice.kind AS invoice_kind, invoice.invoice_number AS number,
          lag(added.hash) OVER series AS before, row_number() OVER series AS place,
          lead(added.hash) OVER series IS NULL AS is_last
        FROM added
        JOIN invoice ON invoice.company_id = added.company_id AND invoice.id = added.invoice_id
        WINDOW series AS (PARTITION BY added.company_id ORDER BY invoice.invoice_number)
      ) linked
      JOIN company ON company.id = linked.company_id
      WHERE linked.number IS NULL OR linked.kind <> linked.invoice_kind
        OR linked.hash <> sha256(
          COALESCE(linked.previous_hash, '') || convert_to(linked.content, 'UTF8'))
        OR linked.previous_hash IS DISTINCT FROM
          CASE linked.place WHEN 1 THEN company.last_document_hash ELSE linked.before END
        OR linked.is_last AND linked.number IS DISTINCT FROM company.last_invoice_number
      LIMIT 1;
      IF broken IS NOT NULL THEN
        RAISE EXCEPTION 'the chain of documents of company % would be broken', broken
          USING ERRCODE = 'check_violation';
      END IF;
      UPDATE company SET last_document_hash = added.hash
      FROM added
      JOIN invoice ON invoice.company_id = added.company_id AND invoice.id = added.invoice_id
      WHERE company.id = added.company_id AND invoice.invoice_number = company.last_invoice_number;
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER document_chain AFTER INSERT ON document REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION extend_chain()`.execute(db);
}
