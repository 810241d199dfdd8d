const TIMEOUT = 5000;
const LARGEST = 64 * 1024;

/**
 * Fetches a short text from a known host: a certificate, or the answer to a confirmation. It follows no redirects,
 * waits five seconds and reads at most 64 kB. Null when the host answers but has no such text.
 *
 * @throws Error when the host does not answer or reports its own failure: a retry makes sense
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

/** The bytes of a response, up to `most`; null when there are more, and the rest is not downloaded. */
export async function readAtMost(
  body: AsyncIterable<Uint8Array>,
  most: number,
): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    // Leaving the loop ends the download.
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
