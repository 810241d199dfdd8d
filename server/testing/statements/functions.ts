import { parsePlPgSQLSync } from 'libpg-query';
import { sql } from 'kysely';

import type { Db } from '../../db/database.ts';
import { unnamedCompanies } from './judge.ts';

/** A function of ours in the database. */
export interface StoredFunction {
  readonly name: string;
  readonly language: 'sql' | 'plpgsql';
  /** The statement that makes it. */
  readonly definition: string;
  /** What it does. */
  readonly body: string;
  readonly parameters: readonly string[];
  /** The names by which its triggers have what a statement has changed. */
  readonly changed: readonly string[];
}

/** All functions of ours, as the migrations leave them; not those of extensions. */
export async function findFunctions(db: Db): Promise<StoredFunction[]> {
  const { rows } = await sql<StoredFunction>`
    SELECT proname AS name, lanname AS language, pg_get_functiondef(pg_proc.oid) AS definition,
      COALESCE(pg_get_function_sqlbody(pg_proc.oid), prosrc) AS body,
      COALESCE(to_json(proargnames), '[]') AS parameters,
      COALESCE((
        SELECT json_agg(changed) FROM pg_trigger,
          unnest(ARRAY[tgoldtable::text, tgnewtable::text]) AS changed
        WHERE tgfoid = pg_proc.oid AND changed IS NOT NULL), '[]') AS changed
    FROM pg_proc JOIN pg_language ON pg_language.oid = prolang
    WHERE pronamespace = 'public'::regnamespace AND lanname IN ('sql', 'plpgsql')
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
    ORDER BY 1`.execute(db);
  return rows;
}

/** The tables of companies whose company a function does not name, with the statement that does not. */
export function unnamedInFunction(
  { language, definition, body, parameters, changed }: StoredFunction,
  tables: ReadonlySet<string>,
): string[] {
  const parsed = language === 'sql' ? null : parsePlPgSQLSync(definition);
  const variables = [...parameters, ...(parsed ? valuesOf(parsed, 'refname') : [])];
  const statements = parsed ? valuesOf(parsed, 'query').map(asStatement) : [body];
  return statements.flatMap((text) => {
    const unnamed = unnamedCompanies(text, { tables, variables, changed });
    return unnamed.length === 0 ? [] : [`${unnamed.join(', ')}: ${text}`];
  });
}

/** A statement as it is, and of an assignment or a condition its value. */
function asStatement(text: string): string {
  if (/^\s*(?:select|insert|update|delete|with|truncate)\b/i.test(text)) return text;
  return `SELECT ${text.replace(/^\s*[\w.]+\s*:?=(?!=)/, '')}`;
}

/** All strings of this name in a tree. */
function valuesOf(tree: unknown, name: string): string[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([key, value]) =>
    key === name && typeof value === 'string' ? [value] : valuesOf(value, name),
  );
}
