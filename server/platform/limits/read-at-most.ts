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
