import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';

import type { IsoDate } from '../../domain/date.ts';
import { readPdf, writePdf, type PdfObjects } from './pdf-objects.ts';
import { xmpPacket } from './xmp.ts';

/** What the metadata say of a document; the same as Typst writes into its information dictionary. */
export interface PdfMetadata {
  readonly title: string;
  readonly author: string;
  readonly date: IsoDate;
}

// The profile that the native Typst embeds too: sRGB v4 of saucecontrol's Compact ICC Profiles, CC0.
const sRgb = fs.readFileSync(path.join(import.meta.dirname, 'srgb.icc'));

/**
 * Makes what Typst wrote a PDF/A-3a that is a PDF/UA-1 as well. Typst declares one standard at a
 * time, and its WebAssembly build none, although the content satisfies both: what is missing are the
 * declarations (ISO 19005-3 § 6.6.4, ISO 14289-1 § 5, § 7.1), the colours' output intent and the
 * relation of the attachment to the document (ISO 19005-3 § 6.2.3, § 6.8).
 */
export function declareStandards(file: Buffer, metadata: PdfMetadata): Buffer {
  const pdf = readPdf(file);
  const { Metadata, Filespec: attachment, OutputIntent } = numbersByType(pdf);
  edit(pdf, Metadata, () => stream('/Type /Metadata\n  /Subtype /XML', xmpPacket(metadata)));
  if (attachment !== undefined) {
    edit(pdf, attachment, (it) => withEntry(it, '/AFRelationship', '/Alternative'));
  }
  const intent = OutputIntent ?? addOutputIntent(pdf);
  edit(pdf, pdf.root, (catalog) => {
    const shown = inside(catalog, '/ViewerPreferences', '/DisplayDocTitle true');
    const coloured = withEntry(shown, '/OutputIntents', `[${intent} 0 R]`);
    return attachment === undefined ? coloured : withEntry(coloured, '/AF', `[${attachment} 0 R]`);
  });
  return writePdf({ ...pdf, trailer: withStableId(pdf) });
}

/** Typst writes the type of a dictionary first, or after the length of the stream that follows. */
const TYPE = /^\s*<<\s*(?:\/Length \d+\s*)?\/Type \/(\w+)/;
const TYPE_WITHIN = 64;

/** The first object of each type. */
function numbersByType({ objects }: PdfObjects): Partial<Record<string, number>> {
  const numbers: Partial<Record<string, number>> = {};
  for (const [number, body] of objects) {
    const type = TYPE.exec(body.toString('latin1', 0, TYPE_WITHIN))?.[1];
    if (type !== undefined) numbers[type] ??= number;
  }
  return numbers;
}

function edit(
  pdf: PdfObjects,
  number: number | undefined,
  change: (body: string) => string | Buffer,
): void {
  const body = number === undefined ? undefined : pdf.objects.get(number);
  if (number === undefined || !body) throw new Error('The PDF lacks an object that Typst writes');
  const changed = change(body.toString('latin1'));
  pdf.objects.set(number, typeof changed === 'string' ? Buffer.from(changed, 'latin1') : changed);
}

/** The dictionary with one entry more, unless it has that entry. */
function withEntry(dictionary: string, name: string, value: string): string {
  if (new RegExp(`${name}\\b`).test(dictionary)) return dictionary;
  const end = dictionary.lastIndexOf('>>');
  return `${dictionary.slice(0, end)}  ${name} ${value}\n${dictionary.slice(end)}`;
}

function inside(dictionary: string, name: string, entry: string): string {
  if (!dictionary.includes(`${name} <<`)) return withEntry(dictionary, name, `<< ${entry} >>`);
  return dictionary.replace(`${name} <<`, `${name} <<\n    ${entry}`);
}

function stream(entries: string, content: Buffer): Buffer {
  const head = `\n<<\n  /Length ${content.length}\n  ${entries}\n>>\nstream\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), content, Buffer.from('\nendstream\n')]);
}

function addOutputIntent({ objects }: PdfObjects): number {
  const profile = Math.max(...objects.keys()) + 1;
  const intent = profile + 1;
  const content = deflateSync(sRgb);
  objects.set(profile, stream('/N 3\n  /Filter /FlateDecode', content));
  const dictionary = [
    '/Type /OutputIntent',
    '/S /GTS_PDFA1',
    '/OutputConditionIdentifier (sRGB)',
    '/Info (sRGB)',
    `/DestOutputProfile ${profile} 0 R`,
  ];
  objects.set(intent, Buffer.from(`\n<< ${dictionary.join(' ')} >>\n`));
  return intent;
}

/** /ID as a hash of the content: the same document always has the same, another has another. */
function withStableId({ objects, trailer }: PdfObjects): string {
  const hash = createHash('sha256');
  for (const body of objects.values()) hash.update(body);
  const id = `<${hash.digest('hex').slice(0, 32)}>`;
  return trailer.replace(/\/ID \[[^\]]*\]/, `/ID [${id} ${id}]`);
}
