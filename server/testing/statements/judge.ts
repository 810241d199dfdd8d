// Whether a statement names the company of every table of companies that it touches, so that it can be
// seen whose it is: docs/decisions/0036-company-in-every-statement.md.

import {
  parseSync,
  type InsertStmt,
  type Node,
  type RangeVar,
  type SelectStmt,
  type WithClause,
} from 'libpg-query';

import { From } from './from.ts';
import {
  isTied,
  itemsOf,
  namesOf,
  outputsOfRelation,
  relationOf,
  renamed,
  within,
  type Output,
  type Relation,
  type Scope,
  type Surroundings,
} from './scope.ts';

/** What the judge is told of the world around a statement. */
export interface World {
  /** The tables whose rows are a company's. */
  readonly tables: ReadonlySet<string>;
  /** The names by which a trigger has the rows that a statement changed, which named their company. */
  readonly changed?: readonly string[];
  /** The parameters and variables of a function. */
  readonly variables?: readonly string[];
}

/** What a query returns, and the tables in it whose company is not named. */
interface Reading {
  readonly outputs: readonly Output[];
  readonly unnamed: readonly string[];
}

/** The parts of a query, of whichever kind it is. */
interface Parts {
  readonly withClause?: WithClause | undefined;
  /** What it changes. */
  readonly target?: RangeVar | undefined;
  readonly from?: readonly Node[] | undefined;
  readonly where?: Node | undefined;
  readonly returned?: readonly Node[] | undefined;
  /** Everything else that may have subqueries. */
  readonly rest: readonly unknown[];
}

const KEY = 'company_id';
const NOTHING: Reading = { outputs: [], unnamed: [] };

/**
 * The tables of companies whose company a text of SQL does not name: neither by a value, or several, nor by
 * a table beside it whose company is named. Empty when nothing is wrong.
 *
 * @throws Error for what PostgreSQL cannot parse either
 */
export function unnamedCompanies(text: string, world: World): string[] {
  const around: Surroundings = {
    parent: null,
    queries: new Map(),
    variables: new Set(world.variables),
    outputsOf: (query, within) => read(query, within, world).outputs,
  };
  const statements = parseSync(text).stmts ?? [];
  const unnamed = statements.flatMap(({ stmt }) => (stmt ? read(stmt, around, world).unnamed : []));
  return [...new Set(unnamed)].toSorted();
}

function read(query: Node, around: Surroundings, world: World): Reading {
  if ('SelectStmt' in query) return readSelect(query.SelectStmt, around, world);
  if ('InsertStmt' in query) return readInsert(query.InsertStmt, around, world);
  if ('UpdateStmt' in query) {
    const { relation: target, fromClause, whereClause, targetList, ...update } = query.UpdateStmt;
    const { withClause, returningClause } = update;
    const [from, where, returned] = [fromClause, whereClause, returningClause?.exprs];
    return readParts(
      { withClause, target, from, where, returned, rest: [targetList] },
      around,
      world,
    );
  }
  if ('DeleteStmt' in query) {
    const { relation: target, usingClause: from, whereClause: where, ...rest } = query.DeleteStmt;
    const { withClause, returningClause } = rest;
    const returned = returningClause?.exprs;
    return readParts({ withClause, target, from, where, returned, rest: [] }, around, world);
  }
  // What is neither read nor written by rows, such as TRUNCATE, names no company.
  return { outputs: [], unnamed: tablesIn(query, world) };
}

function readSelect(select: SelectStmt, around: Surroundings, world: World): Reading {
  const { larg, rarg, valuesLists } = select;
  if (valuesLists) return readValues(valuesLists, around, world);
  if (!larg || !rarg) {
    const { withClause, fromClause, whereClause, targetList: returned, ...clauses } = select;
    const rest = [clauses.groupClause, clauses.havingClause, clauses.sortClause];
    rest.push(clauses.distinctClause, clauses.windowClause);
    const parts = { withClause, from: fromClause, where: whereClause, returned };
    return readParts({ ...parts, rest }, around, world);
  }
  const named = readWith(select.withClause, around, world);
  const [left, right] = [larg, rarg].map((side) => readSelect(side, named.around, world));
  return {
    outputs: (left?.outputs ?? []).map(({ name, isTied: isTiedLeft }, index) => ({
      name,
      isTied: isTiedLeft && right?.outputs[index]?.isTied === true,
    })),
    unnamed: [...named.unnamed, ...(left?.unnamed ?? []), ...(right?.unnamed ?? [])],
  };
}

function readValues(rows: readonly Node[], around: Surroundings, world: World): Reading {
  const scope: Scope = { ...around, relations: [] };
  const columns = itemsOf(rows[0]) ?? [];
  return {
    outputs: columns.map((_, index) => ({
      name: `column${index + 1}`,
      isTied: rows.every((row) => isTied(itemsOf(row)?.[index], scope)),
    })),
    unnamed: unnamedInside(rows, scope, world),
  };
}

/** What is inserted must have the company among its values. */
function readInsert(insert: InsertStmt, around: Surroundings, world: World): Reading {
  const named = readWith(insert.withClause, around, world);
  const values = insert.selectStmt ? read(insert.selectStmt, named.around, world) : NOTHING;
  const [target] = insert.relation ? [relationOfTable(insert.relation, named.around, world)] : [];
  if (!target) return NOTHING;
  const { onConflictClause: conflict, returningClause } = insert;
  const place = (insert.cols ?? []).findIndex(
    (column) => 'ResTarget' in column && column.ResTarget.name === target.key,
  );
  const isNamed = values.outputs[place]?.isTied === true;
  if (isNamed && target.key !== null) target.tied.add(target.key);
  const scope: Scope = { ...named.around, relations: [target] };
  // The row that is in the way is of the same company only where that is a part of what must be unique.
  const isOthers =
    conflict?.action === 'ONCONFLICT_UPDATE' &&
    !conflict.infer?.indexElems?.some(
      (element) => 'IndexElem' in element && element.IndexElem.name === target.key,
    );
  return {
    outputs: readOutputs(returningClause?.exprs, scope),
    unnamed: [
      ...named.unnamed,
      ...values.unnamed,
      ...unnamedInside([conflict, returningClause], scope, world),
      ...(target.table !== null && (!isNamed || isOthers) ? [target.table] : []),
    ],
  };
}

function readParts(parts: Parts, around: Surroundings, world: World): Reading {
  const named = readWith(parts.withClause, around, world);
  const scope: Scope = { ...named.around, relations: [] };
  if (parts.target) scope.relations.push(relationOfTable(parts.target, named.around, world));
  const from = new From(scope, (table) => relationOfTable(table, named.around, world));
  for (const item of parts.from ?? []) from.add(item);
  from.tie(parts.where);
  const inside = [parts.from, parts.where, parts.returned, ...parts.rest];
  return {
    outputs: readOutputs(parts.returned, scope),
    unnamed: [
      ...named.unnamed,
      ...scope.relations.flatMap(({ table, key, tied }) =>
        table !== null && !tied.has(key ?? '') ? [table] : [],
      ),
      ...unnamedInside(inside, scope, world),
    ],
  };
}

/** What a WITH names, one query after the other. */
function readWith(
  withClause: WithClause | undefined,
  around: Surroundings,
  world: World,
): { readonly around: Surroundings; readonly unnamed: readonly string[] } {
  const unnamed: string[] = [];
  const queries = new Map(around.queries);
  for (const part of withClause?.ctes ?? []) {
    if (!('CommonTableExpr' in part) || !part.CommonTableExpr.ctequery) continue;
    const { ctename = '', ctequery, aliascolnames } = part.CommonTableExpr;
    const names = namesOf(aliascolnames);
    const first = 'SelectStmt' in ctequery ? ctequery.SelectStmt.larg : undefined;
    if (withClause?.recursive === true && first) {
      queries.set(
        ctename,
        renamed(readSelect(first, { ...around, queries }, world).outputs, names),
      );
    }
    const reading = read(ctequery, { ...around, queries: new Map(queries) }, world);
    queries.set(ctename, renamed(reading.outputs, names));
    unnamed.push(...reading.unnamed);
  }
  return { around: { ...around, queries }, unnamed };
}

function relationOfTable(
  { schemaname, relname = '', alias }: RangeVar,
  { queries }: Surroundings,
  { tables, changed = [] }: World,
): Relation {
  const name = alias?.aliasname ?? relname;
  const query = schemaname === undefined ? queries.get(relname) : undefined;
  if (query) return relationOf(name, renamed(query, namesOf(alias?.colnames)));
  const isChanged = changed.includes(relname);
  const isOurs = !isChanged && tables.has(relname) && (schemaname ?? 'public') === 'public';
  // The key of the table of companies itself is its id.
  const key = relname === 'company' ? 'id' : KEY;
  return {
    name,
    table: isOurs ? relname : null,
    key: isOurs || isChanged ? key : null,
    columns: null,
    tied: new Set(isChanged ? [key] : []),
  };
}

function readOutputs(returned: readonly Node[] = [], scope: Scope): Output[] {
  return returned.flatMap((column) => {
    if (!('ResTarget' in column)) return [];
    const { name, val } = column.ResTarget;
    const names = nameOf(val);
    if (names.at(-1) !== '*')
      return [{ name: name ?? names.at(-1) ?? '', isTied: isTied(val, scope) }];
    const relations = scope.relations.filter(
      (relation) => names.length === 1 || relation.name === names.at(-2),
    );
    return relations.flatMap(outputsOfRelation);
  });
}

function nameOf(value: Node | undefined): string[] {
  if (value && 'TypeCast' in value) return nameOf(value.TypeCast.arg);
  return value && 'ColumnRef' in value ? namesOf(value.ColumnRef.fields) : [];
}

/** The tables of companies whose company the subqueries in a part of a query do not name. */
function unnamedInside(part: unknown, scope: Scope, world: World): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const node = part as Node;
  if ('SubLink' in node) {
    const { subselect, testexpr } = node.SubLink;
    const own = subselect ? read(subselect, within(scope), world).unnamed : [];
    return [...own, ...unnamedInside(testexpr, scope, world)];
  }
  if ('RangeSubselect' in node) {
    const { subquery, lateral } = node.RangeSubselect;
    return subquery
      ? [...read(subquery, lateral === true ? within(scope) : scope, world).unnamed]
      : [];
  }
  return Object.values(part).flatMap((value) => unnamedInside(value, scope, world));
}

function tablesIn(part: unknown, { tables }: World): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const own = 'relname' in part && typeof part.relname === 'string' ? [part.relname] : [];
  const inside = Object.values(part).flatMap((value) => tablesIn(value, { tables }));
  return [...own.filter((name) => tables.has(name)), ...inside];
}
