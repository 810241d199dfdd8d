// Which columns the conditions of one level of a statement tie.

import type { Node } from 'libpg-query';

import {
  hasColumn,
  isTied,
  itemsOf,
  namesOf,
  relationsOf,
  within,
  type Relation,
  type Scope,
} from './scope.ts';

/** What must hold for rows. */
export interface Condition {
  readonly expression: Node;
  /** The condition of an outer join restricts only the side that may be missing; null restricts everything. */
  readonly restricts: ReadonlySet<Relation> | null;
}

/** Columns that `USING` makes one of. */
export interface Merging {
  readonly columns: readonly string[];
  readonly left: readonly Relation[];
  readonly right: readonly Relation[];
  readonly restricts: ReadonlySet<Relation> | null;
}

/** Ties what a condition ties, as far as is known by now. */
export function applyCondition(scope: Scope, { expression, restricts }: Condition): void {
  for (const part of conjunctsOf(expression)) {
    if ('A_Expr' in part) {
      const { kind, name, lexpr, rexpr } = part.A_Expr;
      if (!lexpr || !rexpr || namesOf(name).at(-1) !== '=') continue;
      if (kind === 'AEXPR_OP') equate(scope, lexpr, rexpr, restricts);
      if (kind === 'AEXPR_OP_ANY' && isTied(rexpr, scope)) tie(scope, lexpr, restricts);
      if (kind === 'AEXPR_IN') tieToList(scope, lexpr, rexpr, restricts);
    } else if ('SubLink' in part && part.SubLink.subLinkType === 'ANY_SUBLINK') {
      tieToQuery(scope, part.SubLink, restricts);
    }
  }
}

/** Ties on one side of a join what is tied on the other. */
export function applyMerging({ columns, left, right, restricts }: Merging): void {
  for (const column of columns) {
    const having = [...left, ...right].filter((relation) => hasColumn(relation, column) !== false);
    if (!having.some(({ tied }) => tied.has(column))) continue;
    const given = having.filter((relation) => relation.tied.has(column));
    for (const relation of having) {
      const isOfOneSide = given.every((other) => left.includes(other) === left.includes(relation));
      if (!isOfOneSide && (!restricts || restricts.has(relation))) relation.tied.add(column);
    }
  }
}

function conjunctsOf(expression: Node): readonly Node[] {
  if (!('BoolExpr' in expression) || expression.BoolExpr.boolop !== 'AND_EXPR') return [expression];
  return (expression.BoolExpr.args ?? []).flatMap(conjunctsOf);
}

function equate(scope: Scope, left: Node, right: Node, restricts: Condition['restricts']): void {
  const [ofLeft, ofRight] = [itemsOf(left), itemsOf(right)];
  if (ofLeft && ofRight) {
    ofLeft.forEach((item, index) => {
      const other = ofRight[index];
      if (other) equate(scope, item, other, restricts);
    });
    return;
  }
  if (isTied(right, scope)) tie(scope, left, restricts);
  if (isTied(left, scope)) tie(scope, right, restricts);
}

function tieToList(scope: Scope, left: Node, list: Node, restricts: Condition['restricts']): void {
  const values = itemsOf(list) ?? [];
  const columns = itemsOf(left);
  if (!columns && isTied(list, scope)) tie(scope, left, restricts);
  columns?.forEach((column, index) => {
    if (values.every((value) => isTied(itemsOf(value)?.[index], scope))) {
      tie(scope, column, restricts);
    }
  });
}

function tieToQuery(
  scope: Scope,
  { testexpr, subselect, operName }: { testexpr?: Node; subselect?: Node; operName?: Node[] },
  restricts: Condition['restricts'],
): void {
  if (!testexpr || !subselect || (operName && namesOf(operName).at(-1) !== '=')) return;
  const outputs = scope.outputsOf(subselect, within(scope));
  (itemsOf(testexpr) ?? [testexpr]).forEach((column, index) => {
    if (outputs[index]?.isTied) tie(scope, column, restricts);
  });
}

/** Ties a column of this level. What is further out is tied there. */
function tie(scope: Scope, value: Node, restricts: Condition['restricts']): void {
  if ('TypeCast' in value && value.TypeCast.arg) tie(scope, value.TypeCast.arg, restricts);
  if (!('ColumnRef' in value)) return;
  const names = namesOf(value.ColumnRef.fields);
  for (const relation of relationsOf(scope, names)) {
    if (!restricts || restricts.has(relation)) relation.tied.add(names.at(-1) ?? '');
  }
}
