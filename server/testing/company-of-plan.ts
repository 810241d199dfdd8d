/** The fields of a node of PostgreSQL's `EXPLAIN (VERBOSE, FORMAT JSON)` that are read here. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Schema?: string;
  readonly Alias?: string;
  readonly 'Join Type'?: string;
  readonly 'Parent Relationship'?: string;
  readonly Plans?: readonly PlanNode[];
  readonly [condition: string]: unknown;
}

const CONDITIONS = [
  'Filter',
  'Hash Cond',
  'Index Cond',
  'Join Filter',
  'Merge Cond',
  'Recheck Cond',
] as const;

/** An equality on a table's company. In an outer join it restricts only the aliases of the nullable side. */
interface Tie {
  readonly text: string;
  readonly restricts: ReadonlySet<string> | null;
}

/**
 * The tables of companies that a plan reads without restricting them to a company, sorted. A table is restricted by an
 * equality of its `company_id` (of `company`, its `id`) with a value, or with the company of a restricted table.
 *
 * @param tables the tables whose rows belong to a company
 */
export function unrestrictedTables(plan: PlanNode, tables: ReadonlySet<string>): string[] {
  const aliases = new Map<string, string>();
  const ties: Tie[] = [];
  collect(plan, null);
  const restricted = new Set<string>();
  for (let size = -1; size !== restricted.size;) {
    size = restricted.size;
    for (const alias of aliases.keys()) {
      if (ties.some((tie) => isRestricted(alias, tie))) restricted.add(alias);
    }
  }
  const left = [...aliases].filter(([alias]) => !restricted.has(alias));
  return [...new Set(left.map(([, table]) => table))].toSorted();

  function collect(node: PlanNode, restricts: Tie['restricts']): void {
    const table = node['Relation Name'];
    const isOurs = table !== undefined && node.Schema === 'public' && tables.has(table);
    // A child node reads the table that ModifyTable writes.
    if (isOurs && node['Node Type'] !== 'ModifyTable') aliases.set(node.Alias ?? table, table);
    const [outer, inner] = node.Plans ?? [];
    const nullable = nullableSide(node['Join Type'], outer, inner);
    // The bitmap heap scan above repeats its conditions, including their OR structure.
    const conditions = node['Node Type'] === 'Bitmap Index Scan' ? [] : CONDITIONS;
    for (const name of conditions) {
      const text = node[name];
      // A filter of an outer join applies to its result, the other conditions only to the nullable side.
      const side = name === 'Filter' ? restricts : (nullable ?? restricts);
      if (typeof text === 'string')
        ties.push(...conjuncts(text).map((each) => ({ text: each, restricts: side })));
    }
    for (const child of node.Plans ?? []) {
      // A subquery in an expression restricts nothing around it.
      const isApart = ['SubPlan', 'InitPlan'].includes(child['Parent Relationship'] ?? '');
      collect(child, isApart ? aliasesOf(child) : restricts);
    }
  }

  function isRestricted(alias: string, { text, restricts }: Tie): boolean {
    if (restricts !== null && !restricts.has(alias)) return false;
    // A bitmap of several indexes restricts the company when each index does.
    const alternatives = split(text, ' OR ');
    if (alternatives.length > 1) {
      return alternatives.every((one) =>
        conjuncts(one).some((each) => isRestricted(alias, { text: each, restricts })),
      );
    }
    const column = `${alias}.${aliases.get(alias) === 'company' ? 'id' : 'company_id'}`;
    const value = valueOf(text, column);
    if (value === null || value.startsWith('NULL')) return false;
    const other = /^(?:\(?)(\w+)\.(company_id|id)\b/.exec(value)?.[1];
    return other === undefined || !aliases.has(other) || restricted.has(other);
  }
}

/** The value that a condition wants a column to have; null for any other condition. */
function valueOf(text: string, column: string): string | null {
  // `IS NOT DISTINCT FROM`, as PostgreSQL writes it.
  const same = /^NOT \((.+) IS DISTINCT FROM (.+)\)$/.exec(text);
  if (same) return valueOf(`${same[1]} = ${same[2]}`, column);
  if (text.startsWith(`${column} = `)) return text.slice(column.length + 3);
  return text.endsWith(` = ${column}`) ? text.slice(0, -column.length - 3) : null;
}

/** The aliases of the nullable side of an outer join, the only ones that its condition restricts. */
function nullableSide(
  joinType: string | undefined,
  outer: PlanNode | undefined,
  inner: PlanNode | undefined,
): ReadonlySet<string> | null {
  if (joinType === 'Full') return new Set();
  if (joinType === 'Left' || joinType === 'Anti') return inner ? aliasesOf(inner) : null;
  if (joinType === 'Right' || joinType === 'Right Anti') return outer ? aliasesOf(outer) : null;
  return null;
}

function aliasesOf(node: PlanNode, aliases = new Set<string>()): Set<string> {
  if (node.Alias !== undefined) aliases.add(node.Alias);
  for (const child of node.Plans ?? []) aliasesOf(child, aliases);
  return aliases;
}

/** The operands of the ANDs of a condition, without their parentheses. */
function conjuncts(condition: string): string[] {
  const inner = isWrapped(condition) ? condition.slice(1, -1) : condition;
  const parts = split(inner, ' AND ');
  return parts.length === 1 && inner === condition ? parts : parts.flatMap(conjuncts);
}

/** Splits a condition at a word outside parentheses. */
function split(condition: string, word: ' AND ' | ' OR '): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < condition.length; index += 1) {
    if (condition[index] === '(') depth += 1;
    if (condition[index] === ')') depth -= 1;
    if (depth === 0 && condition.startsWith(word, index)) {
      parts.push(condition.slice(start, index));
      start = index + word.length;
    }
  }
  parts.push(condition.slice(start));
  return parts;
}

function isWrapped(text: string): boolean {
  if (!text.startsWith('(')) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '(') depth += 1;
    if (text[index] === ')') depth -= 1;
    if (depth === 0) return index === text.length - 1;
  }
  return false;
}

/**
 * Whether an EXISTS of a statement names a table of companies and not the company by its value. Where there are many rows,
 * PostgreSQL makes a table of all companies' rows of it; a plan for few does not show that.
 *
 * @param isOfCompanies finds the names of tables whose rows belong to a company
 */
export function hasBareExists(statement: string, isOfCompanies: RegExp): boolean {
  return [...statement.matchAll(/\bEXISTS\s*\(/gi)].some(({ index, 0: beginning }) => {
    const body = inBrackets(statement, index + beginning.length);
    return isOfCompanies.test(body) && !/company_id"? = (?:\$\d|\d|ANY)/.test(body);
  });
}

/** Reads on to the bracket that closes the one before `start`. */
function inBrackets(text: string, start: number): string {
  let depth = 1;
  let end = start;
  for (; end < text.length && depth > 0; end += 1) {
    if (text[end] === '(') depth += 1;
    if (text[end] === ')') depth -= 1;
  }
  return text.slice(start, end);
}
