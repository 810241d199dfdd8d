// Which tables code queries, by the query builder or in SQL, and which folders may.

import { TABLE_OWNERS, type Ownership } from './table-owners.ts';
import { folderOf, isKind, isTest, placeOf } from './zones.ts';

/** The properties of a syntax tree node that are read here. */
export interface Expression {
  type: string;
  value?: unknown;
  name?: string;
  callee?: Expression;
  object?: Expression;
  property?: Expression;
  arguments?: readonly Expression[];
  elements?: readonly (Expression | null)[];
  tag?: Expression;
  quasi?: Expression;
  quasis?: readonly { value: { raw: string } }[];
}

/** A table in a statement, by its name in the code. */
export interface Query {
  readonly table: string;
  readonly writes: boolean;
}

/** The message for a table that the linter cannot see. */
export const HIDDEN =
  'Name the table, or write the SQL, right here: so that the linter sees whose it is.';

const READS = new Set([
  'selectFrom',
  'innerJoin',
  'leftJoin',
  'rightJoin',
  'fullJoin',
  'crossJoin',
  'innerJoinLateral',
  'leftJoinLateral',
  'crossJoinLateral',
]);
const WRITES = new Set(['insertInto', 'updateTable', 'deleteFrom', 'mergeInto', 'replaceInto']);
/** Other objects have methods of these names too; their argument is then not a table. */
const AMBIGUOUS = new Set(['from', 'using']);

const ownerships = new Map<string, Ownership>(Object.entries(TABLE_OWNERS));
const tablesInSql = new Map([...ownerships.keys()].map((table) => [inSql(table), table]));
const TABLE_IN_SQL = new RegExp(`(?<![\\w.])(?:${[...tablesInSql.keys()].join('|')})(?!\\w)`, 'g');
const WRITTEN_IN_SQL =
  /\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE)\s+(?:ONLY\s+)?(\w+)/g;

function inSql(table: string): string {
  return table.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * The tables that a call or a tagged template names; `hidden` if it names one that the linter cannot see. Names that
 * are not a table of ours, such as a WITH, are left out.
 */
export function queriesOf(node: Expression): readonly (Query | 'hidden')[] {
  if (node.tag?.name === 'sql' && node.quasi) return queriesInSql(textOf(node.quasi));
  const method = node.callee?.property?.name;
  const [argument] = node.arguments ?? [];
  if (method === undefined || !argument) return [];
  if (node.callee?.object?.name === 'sql') return queriesOfSqlMethod(method, argument);
  if (AMBIGUOUS.has(method)) return named(argument, false);
  if (!READS.has(method) && !WRITES.has(method)) return [];
  return argument.type === 'Identifier' ? ['hidden'] : named(argument, WRITES.has(method));
}

/** `sql.table('invoice')`, `sql.ref('invoice.id')`, `sql.raw('invoice')`. */
function queriesOfSqlMethod(method: string, argument: Expression): readonly (Query | 'hidden')[] {
  if (method === 'raw') return isText(argument) ? queriesInSql(textOf(argument)) : ['hidden'];
  if (method === 'table') return isText(argument) ? named(argument, true) : ['hidden'];
  return method === 'ref' && isText(argument) ? named(argument, false) : [];
}

function named(argument: Expression, writes: boolean): Query[] {
  const names = argument.type === 'ArrayExpression' ? (argument.elements ?? []) : [argument];
  return names.flatMap((name) => {
    const table = name && isText(name) ? /\w+/.exec(textOf(name))?.[0] : undefined;
    return table !== undefined && ownerships.has(table) ? [{ table, writes }] : [];
  });
}

function queriesInSql(text: string): Query[] {
  const sql = text.replaceAll(/'[^']*'|--.*$/gm, ' ');
  const written = new Set([...sql.matchAll(WRITTEN_IN_SQL)].map(([, name]) => name));
  return [...new Set(sql.match(TABLE_IN_SQL))].map((name) => ({
    table: tablesInSql.get(name) ?? name,
    writes: written.has(name),
  }));
}

function isText({ type, value }: Expression): boolean {
  return type === 'TemplateLiteral' || typeof value === 'string';
}

/** The literal text, with a gap in place of each `${…}`. */
function textOf({ value, quasis }: Expression): string {
  return quasis ? quasis.map((part) => part.value.raw).join(' ? ') : String(value);
}

/** Whether the rules on queries apply to a file: not in db/, which works on all tables, and not in tests. */
export function mayBeRefused(from: string): boolean {
  const exempt = ['server/platform/db', 'server/testing'];
  return (
    placeOf(from).tier === 'server' && !exempt.includes(folderOf(from)) && !isTest({ path: from })
  );
}

/**
 * The fault of querying a table, or undefined when it is allowed.
 *
 * @param from the querying file
 */
export function forbiddenQuery(from: string, { table, writes }: Query): string | undefined {
  const source = placeOf(from);
  if (source.isConcept && !isKind(source, 'repository') && !isKind(source, 'selection')) {
    return 'Queries live in repositories.';
  }
  const place = folderOf(from).slice('server/'.length);
  const ownership = ownerships.get(table);
  if (!ownership || place === ownership.owner) return undefined;
  if (!writes && ownership.readBy?.[place] !== undefined) return undefined;
  return `The table ${table} belongs to server/${ownership.owner}: call its service (scripts/lint/table-owners.ts).`;
}
