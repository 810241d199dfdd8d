import { createHash } from 'node:crypto';

import { WatchedClient } from './watched-client.ts';

/** More different statements than the product has; what comes after stays unprepared. */
const MOST = 300;
/** A longer one was put together for its values and does not come again. */
const LONGEST = 8000;
/**
 * A prepared statement keeps its columns. One that takes all there are would fail in the processes
 * that run while a newer version adds a column.
 */
const TAKES_ALL_COLUMNS = /(?:select|returning|\.)\s*\*/i;
/** How best to search depends on what is searched for, so PostgreSQL must see it when it plans. */
const SEARCHES = /\blike\b/i;

const BEGINS = /^(?:begin|start transaction)\b/;

/** Of statements that are fit: what is put together for its values would fill it and not come again. */
const names = new Map<string, string>();

/**
 * A connection that has PostgreSQL parse a statement once and not every time: planning takes it
 * longer than running what our lists and look-ups ask. Statements are told apart by their text.
 */
export class PreparingClient extends WatchedClient {
  // pg's own signature has a dozen forms; the one that Kysely uses is (text, values).
  override query(...args: unknown[]): never {
    const [text, values, ...rest] = args;
    if (typeof text === 'string' && BEGINS.test(text)) return super.query(this.beginning(text));
    const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined;
    const prepared = name === undefined ? args : [{ name, text, values }, ...rest];
    return super.query(...prepared);
  }
}

/** The name of a statement, or undefined when it is not to be prepared. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= MOST || text.length > LONGEST) return undefined;
  if (TAKES_ALL_COLUMNS.test(text) || SEARCHES.test(text)) return undefined;
  const name = createHash('sha256').update(text).digest('base64url');
  names.set(text, name);
  return name;
}
