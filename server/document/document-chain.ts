import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import { sha256 } from '../crypto.ts';
import { CURRENT_VERSION, DOCUMENT_VERSIONS, type FieldNames } from './document-versions.ts';

/**
 * The hash of a registered document: SHA-256 over the previous document's hash (nothing for the
 * first) and the document's frozen content, so that changing any document later breaks the chain
 * from there on. A version names the fields that count. One that it does not name, because it came
 * later, counts as soon as it holds anything: nothing can be slipped into a document of before.
 * @throws RangeError for a version that is not known
 */
export function hashDocument(
  document: InvoiceDocument,
  previous: Uint8Array | null,
  version: number = CURRENT_VERSION,
): Buffer {
  const fields = DOCUMENT_VERSIONS[version];
  if (!fields) throw new RangeError(`There is no version ${version} of documents`);
  const named = canonical(document, fields) as object;
  // The first version was not told that it was one.
  const content = Buffer.from(JSON.stringify(version === 1 ? named : [version, named]));
  return sha256(previous ? Buffer.concat([previous, content]) : content);
}

/** A value with the fields of every object in alphabetical order: one text for one content. */
function canonical(value: unknown, fields: FieldNames): unknown {
  if (Array.isArray(value)) return value.map((item) => canonical(item, fields));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, content]) => Object.hasOwn(fields, name) || (content ?? null) !== null)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, content]) => [name, canonical(content, fieldsOf(fields, name))]),
  );
}

function fieldsOf(fields: FieldNames, name: string): FieldNames {
  const names = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof names === 'object' ? names : {};
}
