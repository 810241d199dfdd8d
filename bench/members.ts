import { withClient } from '../server/testing/server-database.ts';

/** Makes a group of new customers, each with an e-mail address; returns its uuid. */
export async function addMembers(url: string, companyId: number, many: number): Promise<string> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ uuid: string }>(
      `WITH members AS (
         INSERT INTO customer (company_id, customer_number, name, email, org_number, address1,
           postal_code, city, search_text)
         SELECT $1, 100000 + number, 'Medlem ' || number, 'medlem' || number || '@example.no',
           '987654325', 'Storgata ' || number, '0155', 'Oslo', ' medlem ' || number
         FROM generate_series(1, $2::integer) AS number RETURNING id
       ), made AS (
         INSERT INTO customer_group (company_id, group_name, search_text)
         VALUES ($1, 'Alle', ' alle') RETURNING id, uuid
       ), joined AS (
         INSERT INTO customer_group_member (company_id, group_id, customer_id)
         SELECT $1, made.id, members.id FROM made, members
       )
       SELECT uuid FROM made`,
      [companyId, many],
    );
    await client.query('ANALYZE');
    return rows[0]?.uuid ?? '';
  });
}
