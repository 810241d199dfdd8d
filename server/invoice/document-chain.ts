import type { InvoiceDocument } from '../../domain/invoice/invoice-document.ts';
import { sha256 } from '../crypto.ts';

/**
 * The hash of a registered document: SHA-256 over the previous document's hash (nothing for the
 * first) and the document's frozen content, so that changing any document later breaks the chain
 * from there on.
 */
export function hashDocument(document: InvoiceDocument, previous: Uint8Array | null): Buffer {
  const content = Buffer.from(canonicalJson(document));
  return sha256(previous ? Buffer.concat([previous, content]) : content);
}

/** JSON with the properties of every object in alphabetical order: one text for one content. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    item !== null && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(
          Object.entries(item).toSorted(([left], [right]) => (left < right ? -1 : 1)),
        )
      : item,
  );
}
