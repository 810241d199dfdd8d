import { relative } from 'node:path';

import { ROOT } from '../process.ts';

/** `at async Module.findWaiting (/…/delivery.repository.ts:1:2)`. */
const FRAME =
  /^\s+at (?:async )?(?:(?:new )?(?<name>[^\s(]+).* \()?(?:file:\/\/)?(?<file>\/[^:)]+):\d+:\d+\)?$/;
/** What runs statements of others. */
const RUNNERS = new Set(['server/db/compiled-once.ts', 'server/db/insert-all.ts']);

/** Who runs a statement just now: the file of ours, and the function in it where that has a name. */
export function placeOfCaller(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 40;
  const { stack = '' } = new Error('where');
  Error.stackTraceLimit = stackTraceLimit;
  for (const line of stack.split('\n')) {
    const { name = '', file = '' } = FRAME.exec(line)?.groups ?? {};
    const path = relative(ROOT, file);
    if (file === '' || path.startsWith('..') || path.startsWith('node_modules')) continue;
    if (path.startsWith('server/testing/statements/') || RUNNERS.has(path)) continue;
    const called = name.split('.').at(-1);
    return called === undefined || called === '' || called === '<anonymous>'
      ? path
      : `${path} ${called}`;
  }
  return 'unknown';
}

/** Tests look where they like. */
export function isOfTests(place: string): boolean {
  return /\.test\.ts\b|^(?:server\/testing|e2e|bench)\//.test(place);
}
