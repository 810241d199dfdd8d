import { loadModule } from 'libpg-query';
import { beforeAll, describe, expect, test } from 'vitest';

import { unnamedCompanies } from './judge.ts';

const tables = new Set(['company', 'customer', 'invoice', 'invoice_line', 'delivery']);

beforeAll(loadModule);

describe('a statement names the company', () => {
  test.each([
    ['by a parameter', 'SELECT id FROM invoice WHERE company_id = $1 AND id = $2'],
    ['the other way round, with a type', 'SELECT id FROM invoice WHERE $1::bigint = company_id'],
    [
      'by a parameter that is several',
      'SELECT id FROM invoice WHERE company_id = ANY($1::bigint[])',
    ],
    ['by a list', 'SELECT id FROM invoice WHERE company_id IN ($1, $2)'],
    ['of the company itself', 'SELECT id FROM company WHERE id = $1'],
    [
      'by a table beside it',
      'SELECT FROM company c JOIN invoice i ON i.company_id = c.id WHERE c.id = $1',
    ],
    [
      'through three tables',
      `SELECT FROM invoice_line l, invoice i, customer c
      WHERE l.company_id = i.company_id AND c.company_id = i.company_id AND c.company_id = $1`,
    ],
    ['by USING', 'SELECT FROM invoice JOIN delivery USING (company_id) WHERE company_id = $1'],
    [
      'in an outer join',
      `SELECT FROM invoice i LEFT JOIN customer c
      ON c.company_id = i.company_id AND c.id = i.customer_id WHERE i.company_id = $1`,
    ],
    [
      'in a subquery',
      `SELECT (SELECT count(*) FROM delivery d WHERE d.company_id = i.company_id)
      FROM invoice i WHERE i.company_id = $1`,
    ],
    [
      'where a subquery names it by its own',
      `SELECT FROM invoice WHERE company_id = $1 AND id IN
      (SELECT invoice_id FROM delivery WHERE company_id = $1)`,
    ],
    [
      'by what a subquery returns',
      `DELETE FROM invoice WHERE (company_id, id) IN
      (SELECT company_id, invoice_id FROM delivery WHERE company_id = $1)`,
    ],
    [
      'by a subquery of one value',
      `SELECT FROM invoice WHERE company_id =
      (SELECT id FROM company WHERE id = $1)`,
    ],
    [
      'in a join with a query',
      `SELECT FROM invoice i CROSS JOIN LATERAL
      (SELECT l.id FROM invoice_line l WHERE l.company_id = i.company_id) l WHERE i.company_id = $1`,
    ],
    [
      'through a query',
      `SELECT FROM (SELECT * FROM invoice WHERE company_id = $1) i
      JOIN delivery d ON d.company_id = i.company_id`,
    ],
    [
      'through a WITH',
      `WITH given AS (SELECT $1::bigint AS company_id),
      taken AS (UPDATE delivery SET attempts = 1 FROM given WHERE delivery.company_id = given.company_id
        RETURNING delivery.company_id, invoice_id)
      UPDATE invoice SET status = $2 FROM taken WHERE invoice.company_id = taken.company_id`,
    ],
    [
      'through a recursive WITH',
      `WITH RECURSIVE chain AS (
      SELECT company_id, id FROM invoice WHERE company_id = $1
      UNION ALL SELECT i.company_id, i.id FROM invoice i JOIN chain USING (company_id)
    ) SELECT FROM chain`,
    ],
    [
      'in both parts of a UNION',
      `SELECT id FROM invoice WHERE company_id = $1
      UNION SELECT id FROM delivery WHERE company_id = $1`,
    ],
    [
      'among the values of an INSERT',
      'INSERT INTO invoice (id, company_id) VALUES (1, $1), (2, $2)',
    ],
    [
      'in the SELECT of an INSERT',
      `INSERT INTO delivery (company_id, invoice_id)
      SELECT company_id, id FROM invoice WHERE company_id = $1`,
    ],
    [
      'beside rows of JSON',
      `INSERT INTO customer (company_id, name)
      SELECT $1, name FROM json_populate_recordset(NULL::customer, $2)`,
    ],
    [
      'and what is in the way is of the same one',
      `INSERT INTO customer (company_id, number, name)
      VALUES ($1, $2, $3) ON CONFLICT (company_id, number) DO UPDATE SET name = excluded.name`,
    ],
    ['of an UPDATE', 'UPDATE invoice AS i SET status = $1 WHERE i.company_id = $2'],
    [
      'of a DELETE',
      `DELETE FROM invoice_line l USING invoice i
      WHERE l.company_id = i.company_id AND i.company_id = $1`,
    ],
    ['or touches no table of companies', 'SELECT FROM account WHERE email = $1'],
    ['or touches one of another schema', 'DELETE FROM jobs.delivery WHERE id = $1'],
  ])('%s', (_, text) => {
    expect(unnamedCompanies(text, { tables })).toEqual([]);
  });
});

describe('a statement does not name the company', () => {
  test.each([
    ['by a row alone', 'SELECT id FROM delivery WHERE id = $1', ['delivery']],
    ['by a comparison', 'SELECT id FROM delivery WHERE company_id > $1', ['delivery']],
    ['by another column', 'SELECT id FROM company WHERE account_id = $1', ['company']],
    [
      'where another will do',
      'SELECT id FROM delivery WHERE company_id = $1 OR $1 IS NULL',
      ['delivery'],
    ],
    ['by denying it', 'SELECT id FROM delivery WHERE NOT (company_id = $1)', ['delivery']],
    ['by null', 'SELECT id FROM delivery WHERE company_id = NULL', ['delivery']],
    [
      'by tables that name none',
      `SELECT FROM invoice i JOIN delivery d
      ON d.company_id = i.company_id`,
      ['delivery', 'invoice'],
    ],
    [
      'in a join by id',
      `SELECT FROM invoice i JOIN invoice_line l ON l.invoice_id = i.id
      WHERE i.company_id = $1`,
      ['invoice_line'],
    ],
    [
      'by what may be missing',
      `SELECT FROM invoice i LEFT JOIN customer c
      ON c.company_id = i.company_id AND c.company_id = $1`,
      ['invoice'],
    ],
    [
      'in a full join',
      `SELECT FROM invoice i FULL JOIN customer c ON c.company_id = i.company_id
      WHERE i.company_id = $1`,
      ['customer'],
    ],
    [
      'in a subquery by id',
      `SELECT (SELECT count(*) FROM delivery d WHERE d.invoice_id = i.id)
      FROM invoice i WHERE i.company_id = $1`,
      ['delivery'],
    ],
    [
      'because a subquery does',
      `SELECT FROM invoice i WHERE NOT EXISTS (SELECT FROM delivery d
      WHERE d.company_id = i.company_id AND d.company_id = $1)`,
      ['invoice'],
    ],
    [
      'by ids of its company',
      `UPDATE delivery SET attempts = 1 WHERE id IN
      (SELECT id FROM delivery WHERE company_id = $1)`,
      ['delivery'],
    ],
    [
      'in one part of a UNION',
      `SELECT id FROM invoice WHERE company_id = $1
      UNION SELECT id FROM delivery`,
      ['delivery'],
    ],
    [
      'in one part of a UNION that another relies on',
      `SELECT FROM customer c JOIN (
      SELECT company_id FROM invoice WHERE company_id = $1 UNION SELECT id FROM account) u
      ON u.company_id = c.company_id`,
      ['customer'],
    ],
    [
      'in a WITH',
      `WITH old AS (SELECT id FROM invoice) SELECT FROM old WHERE id = $1`,
      ['invoice'],
    ],
    [
      'in JSON',
      `INSERT INTO customer (company_id, name)
      SELECT company_id, name FROM json_populate_recordset(NULL::customer, $1)`,
      ['customer'],
    ],
    ['by leaving it out', 'INSERT INTO customer (name) VALUES ($1)', ['customer']],
    ['in each row', 'INSERT INTO customer (company_id) VALUES ($1), (DEFAULT)', ['customer']],
    [
      'of what is in the way',
      `INSERT INTO customer (company_id, uuid) VALUES ($1, $2)
      ON CONFLICT (uuid) DO UPDATE SET name = 'x'`,
      ['customer'],
    ],
    ['of an UPDATE', 'UPDATE invoice SET company_id = $1 WHERE id = $2', ['invoice']],
    ['of a whole table', 'TRUNCATE invoice, account', ['invoice']],
  ])('%s', (_, text, unnamed) => {
    expect(unnamedCompanies(text, { tables })).toEqual(unnamed);
  });
});
