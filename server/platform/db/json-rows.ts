import {
  AliasNode,
  IdentifierNode,
  RawNode,
  ReferenceNode,
  SelectionNode,
  SelectQueryNode,
  type OperationNode,
} from 'kysely';
import * as kysely from 'kysely/helpers/postgres';

import { toCamelKey } from '../../../domain/api/case.ts';

interface Query {
  toOperationNode(): OperationNode;
}

/** As Kysely's, for rows within `named` rows. */
export const jsonArrayFrom: typeof kysely.jsonArrayFrom = (rows) =>
  kysely.jsonArrayFrom(named(rows));

/**
 * The same query with its columns under their camelCase names, for JSON that is read as text. Kysely would rename what
 * is nested in the rows of a page one by one, which takes longer than parsing it.
 */
export function named<Named extends Query>(query: Named): Named {
  const node = query.toOperationNode();
  if (!SelectQueryNode.is(node)) throw new TypeError('Only selected columns can be named');
  const selections = (node.selections ?? []).map(({ selection }) =>
    SelectionNode.create(AliasNode.create(...namedSelection(selection))),
  );
  const whole: SelectQueryNode = { ...node, selections };
  return { ...query, toOperationNode: () => whole };
}

function namedSelection(selection: OperationNode): [OperationNode, OperationNode] {
  if (AliasNode.is(selection) && IdentifierNode.is(selection.alias))
    return [selection.node, asWritten(selection.alias.name)];
  if (ReferenceNode.is(selection) && 'column' in selection.column)
    return [selection, asWritten(selection.column.column.name)];
  throw new TypeError('A selected column needs a name');
}

/** A raw name, which no plugin changes; in an outer query the plugin has changed it already. */
function asWritten(name: string): OperationNode {
  return RawNode.createWithSql(`"${toCamelKey(name)}"`);
}
