import { relative } from 'node:path';

import { ROOT } from '../process.ts';

/** What runs statements of others. */
const RUNNERS = new Set(['server/db/compiled-once.ts', 'server/db/insert-all.ts']);
/** How many callers are looked at: waiting adds some of Node's own. */
const FRAMES = 40;

/** Tells which file of ours runs a statement now, and which function in it, if that has a name. */
export function placeOfCaller(): string {
  for (const frame of callers()) {
    const file = frame.getFileName()?.replace(/^file:\/\//, '') ?? '';
    if (!file.startsWith('/')) continue;
    const path = relative(ROOT, file);
    if (path.startsWith('..') || path.startsWith('node_modules')) continue;
    if (path.startsWith('server/testing/statements/') || RUNNERS.has(path)) continue;
    const called = frame.getFunctionName()?.split('.').at(-1);
    return called ? `${path} ${called}` : path;
  }
  return 'unknown';
}

/**
 * V8's own frames, with those that wait, which `getCallSites` of node:util leaves out. As text, mapped to the source,
 * they cost twenty times as much, at each statement.
 */
function callers(): NodeJS.CallSite[] {
  // oxlint-disable-next-line typescript/unbound-method -- it is put back as it was
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

/** Tests look where they like. */
export function isOfTests(place: string): boolean {
  return /\.test\.ts\b|^(?:server\/testing|e2e|bench)\//.test(place);
}
