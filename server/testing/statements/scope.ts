// What one level of a statement knows of its companies: what is in its FROM, and which columns of that
// are tied to a value that the statement names.

import type { Node } from 'libpg-query';

/** A column of what a query returns. */
export interface Output {
  readonly name: string;
  readonly isTied: boolean;
}

/** What is in a FROM. */
export interface Relation {
  readonly name: string;
  /** The table whose rows are a company's, and the column that says whose; null of everything else. */
  readonly table: string | null;
  readonly key: string | null;
  /** Every column; null where they are not known. */
  readonly columns: ReadonlySet<string> | null;
  readonly tied: Set<string>;
}

/** What is around a query. */
export interface Surroundings {
  /** The query that it is a part of, and whose columns it may name. */
  readonly parent: Scope | null;
  /** What WITH names, and what a trigger is told of, by name. */
  readonly queries: ReadonlyMap<string, readonly Output[]>;
  /** What holds a value and is no column: parameters and variables of a function. */
  readonly variables: ReadonlySet<string>;
  /** What a subquery returns. */
  readonly outputsOf: (query: Node, around: Surroundings) => readonly Output[];
}

/** One level of a statement. */
export interface Scope extends Surroundings {
  readonly relations: Relation[];
}

/** The parts of a name, such as `invoice` and `company_id`; `*` for all columns. */
export function namesOf(nodes: readonly Node[] = []): string[] {
  return nodes.map((node) => ('String' in node ? (node.String.sval ?? '') : '*'));
}

/** Whether a relation has this column; undefined where that is not known. */
export function hasColumn({ columns, key }: Relation, column: string): boolean | undefined {
  if (columns) return columns.has(column);
  if (column === key) return true;
  // Tables of companies alone have it, and that of companies themselves has another.
  return column === 'company_id' ? false : undefined;
}

/** What of this level a reference may mean; more than one where USING has made one column of several. */
export function relationsOf({ relations }: Scope, names: readonly string[]): readonly Relation[] {
  const [column = '', name] = names.toReversed();
  if (name !== undefined) return relations.filter((relation) => relation.name === name);
  const having = relations.filter((relation) => hasColumn(relation, column) === true);
  if (having.length > 0) return having;
  const possible = relations.filter((relation) => hasColumn(relation, column) === undefined);
  return possible.length === 1 ? possible : [];
}

/** Whether a name is that of a column that is tied, here or further out, or of a variable. */
function isTiedName(scope: Scope, names: readonly string[]): boolean {
  const isVariable = scope.variables.has(names[0] ?? '');
  // A name that a column has as well would be refused as ambiguous.
  if (isVariable && names.length === 1) return true;
  for (let level: Scope | null = scope; level; level = level.parent) {
    const relations = relationsOf(level, names);
    if (relations.length > 0) return relations.some(({ tied }) => tied.has(names.at(-1) ?? ''));
  }
  return isVariable;
}

/** Whether a value is named by the statement, or is that of a column that is tied. */
export function isTied(value: Node | undefined, scope: Scope): boolean {
  if (!value) return false;
  if ('ParamRef' in value) return true;
  if ('A_Const' in value) return value.A_Const.isnull !== true;
  if ('TypeCast' in value) return isTied(value.TypeCast.arg, scope);
  if ('ColumnRef' in value) return isTiedName(scope, namesOf(value.ColumnRef.fields));
  if ('SubLink' in value && value.SubLink.subLinkType === 'EXPR_SUBLINK') {
    const { subselect } = value.SubLink;
    return subselect ? scope.outputsOf(subselect, within(scope))[0]?.isTied === true : false;
  }
  const all = 'A_ArrayExpr' in value ? value.A_ArrayExpr.elements : itemsOf(value);
  return all !== undefined && all.length > 0 && all.every((item) => isTied(item, scope));
}

/** The values of a list or of a row; undefined of anything else. */
export function itemsOf(node: Node | undefined): readonly Node[] | undefined {
  if (!node) return undefined;
  if ('List' in node) return node.List.items ?? [];
  return 'RowExpr' in node ? (node.RowExpr.args ?? []) : undefined;
}

/** What is around a subquery. */
export function within(scope: Scope): Surroundings {
  return { ...scope, parent: scope };
}

/** All that is known of a relation's columns, for `*`. */
export function outputsOfRelation({ columns, key, tied }: Relation): Output[] {
  const names = columns ?? (key === null ? [] : [key]);
  return [...names].map((name) => ({ name, isTied: tied.has(name) }));
}

/** The columns of a query under the names that its alias gives them. */
export function renamed(outputs: readonly Output[], names: readonly string[]): Output[] {
  return outputs.map((output, index) => ({ ...output, name: names[index] ?? output.name }));
}

/** What a query returns, in a FROM. */
export function relationOf(name: string, outputs: readonly Output[]): Relation {
  const tied = outputs.filter((output) => output.isTied);
  return {
    name,
    table: null,
    key: null,
    columns: new Set(outputs.map((output) => output.name)),
    tied: new Set(tied.map((output) => output.name)),
  };
}
