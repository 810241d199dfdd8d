// Runs in every test file of the server. The plan of each statement must restrict every company table to one company,
// unless its function is an exception. Otherwise the test file fails.

import { relative } from 'node:path';

import { CompiledQuery, DefaultQueryExecutor } from 'kysely';
import { afterAll, inject } from 'vitest';

import { isException } from './company-exceptions.ts';
import { hasBareExists, unrestrictedTables, type PlanNode } from './company-of-plan.ts';
import { ROOT } from './process.ts';

/** Files that run statements for other files. */
const RUNNERS = new Set([
  'server/platform/db/frequent-statements.ts',
  'server/testing/statements.ts',
]);
/** The number of stack frames to examine. Awaiting adds frames of Node.js. */
const FRAMES = 40;

/** Installs the check once per process, because this setup runs before each of its many test files. */
const shared = globalThis as { fakturCompanyCheck?: { readonly faults: Map<string, string> } };

function watchStatements(): { readonly faults: Map<string, string> } {
  const tables = new Set(inject('companyTables'));
  const isOfCompanies = new RegExp(`\\b(?:${[...tables].join('|')})\\b`);
  const right = new Set<string>();
  const faults = new Map<string, string>();
  // oxlint-disable-next-line typescript/unbound-method -- called below with its object
  const { executeQuery } = DefaultQueryExecutor.prototype;
  DefaultQueryExecutor.prototype.executeQuery = async function (query, options) {
    const text = query.sql;
    if (
      !right.has(text) &&
      isOfCompanies.test(text) &&
      /^\s*(?:select|update|delete|insert|with)\b/i.test(text)
    ) {
      const place = placeOfCaller();
      // A plan costs as much as the statement, and a session is looked for at every call.
      if (!isOfTests(place) && !isException(place)) {
        const explain = CompiledQuery.raw(`EXPLAIN (VERBOSE, FORMAT JSON) ${text}`, [
          ...query.parameters,
        ]);
        const { rows } = await executeQuery.call(this, explain, options);
        const [{ Plan: plan }] = Object.values(rows[0] as object)[0] as [{ Plan: PlanNode }];
        const unrestricted = hasBareExists(text, isOfCompanies)
          ? ['an EXISTS']
          : unrestrictedTables(plan, tables);
        if (unrestricted.length === 0 || isPlain(text)) right.add(text);
        else
          faults.set(
            `${place}: no company for ${unrestricted.join(', ')}`,
            `${text}\n${JSON.stringify(plan)}`,
          );
      }
    }
    return executeQuery.call(this, query, options) as never;
  };
  return { faults };
}

/**
 * Whether a statement of one table has `company_id = $n` and no OR. Its text is then sufficient proof when the plan
 * shows the condition in an unsupported form.
 */
function isPlain(text: string): boolean {
  const tables = inject('companyTables').filter((table) => new RegExp(`\\b${table}\\b`).test(text));
  return tables.length === 1 && !/\bOR\b/i.test(text) && /\bcompany_id"? = \$\d/.test(text);
}

const { faults } = (shared.fakturCompanyCheck ??= watchStatements());

afterAll(() => {
  const found = [...faults].map((fault) => fault.join('\n'));
  faults.clear();
  if (found.length === 0) return;
  const heading = 'Statements that restrict no company (CONTRIBUTING.md, "A statement")';
  throw new Error([heading, ...found].join('\n\n'));
});

/** The file of the project that runs the current statement, and the name of the function in it if it has one. */
function placeOfCaller(): string {
  for (const frame of callers()) {
    // Where Node reads the code itself, the name of a setup file ends in a query.
    const file = frame.getFileName()?.replaceAll(/^file:\/\/|\?.*$/g, '') ?? '';
    if (!file.startsWith('/')) continue;
    const path = relative(ROOT, file);
    if (path.startsWith('..') || path.startsWith('node_modules')) continue;
    if (file === import.meta.filename || RUNNERS.has(path)) continue;
    const called = frame.getFunctionName()?.split('.').at(-1);
    return called ? `${path} ${called}` : path;
  }
  return 'unknown';
}

/**
 * The stack frames of V8 including asynchronous ones, which `getCallSites` of node:util omits. A stack as text with
 * source maps costs twenty times as much per statement.
 */
function callers(): NodeJS.CallSite[] {
  // oxlint-disable-next-line typescript/unbound-method -- restored below
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = FRAMES;
  Error.prepareStackTrace = (_, frames) => frames;
  try {
    return new Error('where').stack as unknown as NodeJS.CallSite[];
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    Error.prepareStackTrace = prepareStackTrace;
  }
}

/** Whether the place is a test, which may read every company. */
function isOfTests(place: string): boolean {
  return /\.test\.ts\b|^(?:server\/testing|e2e|bench)\//.test(place);
}
