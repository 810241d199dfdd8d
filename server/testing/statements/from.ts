// What is in a FROM, and what its conditions tie.

import type { JoinExpr, Node, RangeSubselect, RangeVar } from 'libpg-query';

import { applyCondition, applyMerging, type Condition, type Merging } from './conditions.ts';
import {
  namesOf,
  relationOf,
  renamed,
  within,
  type Relation,
  type Scope,
  type Surroundings,
} from './scope.ts';

/** A query in a FROM. */
interface Derived {
  readonly relation: Relation;
  readonly query: Node;
  readonly around: Surroundings;
  readonly names: readonly string[];
}

/** Adds what is in a FROM to a level, and ties the columns that it and a WHERE tie. */
export class From {
  readonly #conditions: Condition[] = [];
  readonly #mergings: Merging[] = [];
  readonly #derived: Derived[] = [];
  readonly #scope: Scope;
  readonly #relationOfTable: (table: RangeVar) => Relation;

  constructor(scope: Scope, relationOfTable: (table: RangeVar) => Relation) {
    this.#scope = scope;
    this.#relationOfTable = relationOfTable;
  }

  /** Returns what it consists of. */
  add(item: Node): readonly Relation[] {
    if ('JoinExpr' in item) return this.#addJoin(item.JoinExpr);
    const relation = this.#relationOf(item);
    this.#scope.relations.push(relation);
    return [relation];
  }

  /** Ties until nothing more comes of it. */
  tie(where: Node | undefined): void {
    if (where) this.#conditions.push({ expression: where, restricts: null });
    for (let before = -1; before < this.#countTied();) {
      before = this.#countTied();
      for (const { relation, query, around, names } of this.#derived) {
        const outputs = renamed(this.#scope.outputsOf(query, around), names);
        for (const { name, isTied } of outputs) if (isTied) relation.tied.add(name);
      }
      for (const merging of this.#mergings) applyMerging(merging);
      for (const condition of this.#conditions) applyCondition(this.#scope, condition);
    }
  }

  #countTied(): number {
    return this.#scope.relations.reduce((sum, { tied }) => sum + tied.size, 0);
  }

  #addJoin({ jointype, larg, rarg, quals: expression, usingClause }: JoinExpr): Relation[] {
    const left = larg ? this.add(larg) : [];
    const right = rarg ? this.add(rarg) : [];
    const columns = namesOf(usingClause);
    const restricts = sideOf(jointype, left, right);
    if (columns.length > 0) this.#mergings.push({ columns, left, right, restricts });
    if (expression) this.#conditions.push({ expression, restricts });
    return [...left, ...right];
  }

  #relationOf(item: Node): Relation {
    if ('RangeVar' in item) return this.#relationOfTable(item.RangeVar);
    if ('RangeSubselect' in item) return this.#addDerived(item.RangeSubselect);
    if ('RangeFunction' in item) {
      const { alias, coldeflist = [] } = item.RangeFunction;
      const defined = coldeflist.flatMap((column) =>
        'ColumnDef' in column ? [column.ColumnDef.colname ?? ''] : [],
      );
      // What a function returns of its arguments cannot be seen.
      const names = [...namesOf(alias?.colnames), ...defined];
      return relationOf(
        alias?.aliasname ?? '',
        names.map((name) => ({ name, isTied: false })),
      );
    }
    throw new Error(`Unknown in a FROM: ${Object.keys(item).join(', ')}`);
  }

  #addDerived({ lateral, subquery: query, alias }: RangeSubselect): Relation {
    const scope = this.#scope;
    const around = lateral === true ? within(scope) : { ...scope };
    if (!query) throw new Error('A query in a FROM is missing');
    const names = namesOf(alias?.colnames);
    const outputs = renamed(scope.outputsOf(query, around), names);
    const relation = relationOf(alias?.aliasname ?? '', outputs);
    this.#derived.push({ relation, query, around, names });
    return relation;
  }
}

/** What the condition of a join restricts: of an outer one, only what may be missing. */
function sideOf(
  type: JoinExpr['jointype'],
  left: readonly Relation[],
  right: readonly Relation[],
): ReadonlySet<Relation> | null {
  if (type === 'JOIN_INNER') return null;
  if (type === 'JOIN_LEFT') return new Set(right);
  return new Set(type === 'JOIN_RIGHT' ? left : []);
}
