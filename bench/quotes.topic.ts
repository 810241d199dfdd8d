import { withClient } from '../server/testing/server-database.ts';
import { beside, type Figure, figure } from './figure.ts';
import type { Harness } from './harness.ts';
import { inTurns, measureHttp, type Pace } from './load.ts';
import { logIn } from './person.ts';
import { seedInvoices } from './seed-companies.ts';

const SIZES = [1000, 100_000];
const QUICK_SIZES = [200, 2000];
const INVOICES = 1000;
const ROUNDS = 3;

const CALLS = {
  'page 1': '?page=1',
  'page 10': '?page=10',
  'sent ones': '?state=SENT',
  'partly invoiced ones': '?state=PARTLY_INVOICED',
  'search for one title': '?query=byggetrinn+177',
  'search that finds all': '?query=profildesign',
  'one customer': '?customer_number=7',
} as const;

/** The list of quotes, with its counts and sums, of companies with few and with many. */
export async function measureQuotes(harness: Harness): Promise<Figure[]> {
  const { quick, seconds } = harness.options;
  const sizes = quick ? QUICK_SIZES : SIZES;
  const calls: [string, () => Promise<Pace>][] = [];
  for (const quotes of sizes) {
    harness.say(`making ${quotes.toLocaleString('en-GB')} quotes`);
    const url = await harness.newDatabase();
    await addQuotes(url, await seedInvoices(url, INVOICES), quotes);
    const { origin } = await harness.newServer({ DATABASE_URL: url, FEATURES: 'quotes' });
    const person = await logIn(url, origin);
    for (const [name, query] of Object.entries(CALLS)) {
      const load = { person, path: `/api/quotes/${query}`, seconds };
      calls.push([`${quotes} ${name}`, async () => measureHttp(load)]);
    }
  }
  const paces = await inTurns(ROUNDS, Object.fromEntries(calls));
  const [few = 0, many = 0] = sizes;
  const p95 = (quotes: number, name: string) => paces[`${quotes} ${name}`]?.p95 ?? Number.NaN;
  return Object.keys(CALLS).map((name) =>
    figure(
      `${name} of ${many.toLocaleString('en-GB')} quotes, 95 % within`,
      p95(many, name),
      'ms',
      beside(`with ${few.toLocaleString('en-GB')}`, p95(few, name)),
    ),
  );
}

/** Quotes in every state; of three accepted ones one is not invoiced, one partly, and one as a whole. */
const QUOTES = `INSERT INTO quote (company_id, quote_number, state, sent_revision, sent_valid_until, invoiced, invoiced_net, left_net)
 SELECT $1, CASE WHEN state <> 'DRAFT' THEN number END, state, CASE WHEN state <> 'DRAFT' THEN 1 END,
   CASE WHEN state <> 'DRAFT' THEN current_date + number % 20 - 5 END, invoiced,
   CASE invoiced WHEN 'ALL' THEN 250000 WHEN 'PART' THEN 100000 ELSE 0 END,
   CASE WHEN state = 'ACCEPTED' THEN CASE invoiced WHEN 'ALL' THEN 0 WHEN 'PART' THEN 150000 ELSE 250000 END END
 FROM generate_series(1, $2::integer) AS number,
   LATERAL (SELECT (ARRAY['DRAFT', 'SENT', 'SENT', 'ACCEPTED', 'ACCEPTED', 'ACCEPTED', 'DECLINED',
     'WITHDRAWN'])[number % 8 + 1] AS state,
     (ARRAY['NONE', 'NONE', 'NONE', 'NONE', 'PART', 'ALL', 'NONE', 'NONE'])[number % 8 + 1] AS invoiced) made`;

const REVISIONS = `INSERT INTO quote_revision (company_id, quote_id, revision, customer_id, price_kind, valid_until, title,
   confirm_by_code, net_amount, vat_amount, gross_amount, search_text, sent_at, buyer, is_private, answer,
   answered_how, answered_at)
 SELECT $1, quote.id, 1, customer.id, 'FIXED', COALESCE(sent_valid_until, current_date), 'Byggetrinn ' || quote.id,
   false, 250000, 62500, 312500, lower(customer.name) || ' byggetrinn ' || quote.id || ' profildesign',
   sent.at, CASE WHEN sent.at IS NOT NULL THEN jsonb_build_object('name', customer.name) END,
   CASE WHEN sent.at IS NOT NULL THEN false END, answer, CASE WHEN answer IS NOT NULL THEN 'HAND' END,
   CASE WHEN answer IS NOT NULL THEN now() END
 FROM quote
 CROSS JOIN LATERAL (SELECT CASE WHEN state <> 'DRAFT' THEN now() END AS at,
   CASE WHEN state IN ('ACCEPTED', 'DECLINED') THEN state END AS answer) sent
 JOIN (SELECT id, name, row_number() OVER () AS place FROM customer WHERE company_id = $1) customer
   ON customer.place = quote.id % 1000 + 1
 WHERE quote.company_id = $1`;

const LINES = `INSERT INTO quote_line (company_id, quote_id, revision, position, quantity, description, net_unit_amount,
   vat_rate, vat_treatment)
 SELECT $1, id, 1, position, 2, 'Profildesign', 62500, 25, 'STANDARD'
 FROM quote, generate_series(0, 1) AS position WHERE company_id = $1`;

const PARTS = `INSERT INTO quote_part (company_id, quote_id, line_id, invoice_id, share, net)
 SELECT $1, quote_id, line.id, invoice.id, 20000000 * invoiced_net / 250000, invoiced_net / 2
 FROM quote
 JOIN quote_line line ON line.company_id = quote.company_id AND line.quote_id = quote.id
 JOIN (SELECT id, row_number() OVER () AS place FROM invoice WHERE company_id = $1) invoice
   ON invoice.place = quote.id % $2 + 1
 WHERE quote.company_id = $1 AND invoiced <> 'NONE'`;

/** Adds the quotes of a company without their triggers, but for that which counts them. */
async function addQuotes(url: string, companyId: number, many: number): Promise<void> {
  const tables = ['quote', 'quote_revision', 'quote_line', 'quote_part'];
  await withClient(url, async (client) => {
    for (const table of tables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    await client.query('ALTER TABLE quote ENABLE TRIGGER quote_count_insert');
    await client.query(QUOTES, [companyId, many]);
    await client.query(REVISIONS, [companyId]);
    await client.query(LINES, [companyId]);
    await client.query(PARTS, [companyId, INVOICES]);
    for (const table of tables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    await client.query(`ANALYZE ${tables.join(', ')}`);
  });
}
