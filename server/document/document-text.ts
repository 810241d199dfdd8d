import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import { CURRENT_VERSION, DOCUMENT_VERSIONS, type FieldNames } from './document-versions.ts';

/**
 * The text that a document is frozen as: JSON without spaces and with the fields of every object in
 * alphabetical order, so that one content has one text. A version names the fields that it has. One
 * that it does not name, because it came later, is in the text as soon as it holds anything: nothing
 * can be slipped into a document of before.
 *
 * @throws RangeError for a version that is not known
 */
export function writeText(document: InvoiceDocument, version: number = CURRENT_VERSION): string {
  const fields = fieldsOfVersion(version);
  // The first version was not told that it was one.
  return version === 1
    ? JSON.stringify(canonical(document, fields))
    : versioned(document, version, fields);
}

/** The text of what has these fields, after its version. */
export function versioned(content: object, version: number, fields: FieldNames): string {
  return JSON.stringify([version, canonical(content, fields)]);
}

/**
 * The version that a document is registered with: the oldest that names all that it holds, so that what
 * holds nothing new can be read by processes of before.
 */
export function versionOf(document: InvoiceDocument): number {
  return oldestNaming(document, DOCUMENT_VERSIONS) ?? CURRENT_VERSION;
}

/** The oldest of these versions that names all that is held. */
export function oldestNaming(
  content: object,
  versions: Readonly<Record<number, FieldNames>>,
): number | undefined {
  const oldest = Object.entries(versions).find(([, fields]) => namesAll(content, fields));
  return oldest && Number(oldest[0]);
}

/** Whether fields that are not named hold nothing. */
function namesAll(value: unknown, fields: FieldNames): boolean {
  if (Array.isArray(value)) return value.every((item) => namesAll(item, fields));
  if (value === null || typeof value !== 'object') return true;
  return Object.entries(value).every(([name, content]) =>
    Object.hasOwn(fields, name)
      ? namesAll(content, fieldsOf(fields, name))
      : (content ?? null) === null,
  );
}

/**
 * The document of a text. What its version did not know is null, as it is in a document that has
 * nothing there. @throws RangeError for a version that is not known
 */
export function readText(text: string, version: number): InvoiceDocument {
  fieldsOfVersion(version);
  const parsed = JSON.parse(text) as unknown;
  const content = version === 1 ? parsed : (parsed as [number, unknown])[1];
  const whole = version === CURRENT_VERSION ? content : completed(content, fieldsOfVersion());
  return whole as InvoiceDocument;
}

function fieldsOfVersion(version: number = CURRENT_VERSION): FieldNames {
  const fields = DOCUMENT_VERSIONS[version];
  if (!fields) throw new RangeError(`There is no version ${version} of documents`);
  return fields;
}

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

/** The parsed text, with null for missing fields. */
export function completed(value: unknown, fields: FieldNames): unknown {
  if (Array.isArray(value)) return value.map((item) => completed(item, fields));
  if (value === null || typeof value !== 'object') return value;
  const unknown = Object.keys(fields).filter((name) => !Object.hasOwn(value, name));
  return Object.fromEntries([
    ...Object.entries(value).map(([name, content]) => [
      name,
      completed(content, fieldsOf(fields, name)),
    ]),
    ...unknown.map((name) => [name, null]),
  ]);
}

function fieldsOf(fields: FieldNames, name: string): FieldNames {
  const names = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof names === 'object' ? names : {};
}
