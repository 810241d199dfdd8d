import { readAtMost } from './read-at-most.ts';

const TIMEOUT = 5000;
const LARGEST = 64 * 1024;

/**
 * The text at a URL, for small things from a known host: a certificate, an answer to a
 * confirmation. Follows no redirect, waits five seconds, takes 64 kB. Null when the host is there
 * but has no such text.
 *
 * @throws Error when the host does not answer, or says that the fault is its own: worth another try
 */
export async function fetchText(url: string): Promise<string | null> {
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    if (response.status >= 500) throw new Error(`${url} answered ${response.status}`);
    return null;
  }
  const bytes = await readAtMost(response.body, LARGEST);
  return bytes?.toString('utf8') ?? null;
}
