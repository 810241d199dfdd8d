import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';

import { readXml } from '../platform/xml/xml-reader.ts';

/** A workbook has some hundred parts. */
const PARTS_MAX = 2000;
/** Most bytes of all that is read as XML to judge a workbook. */
const UNPACKED_MAX = 8 * 1024 * 1024;
/** Enough of a part to see what it is. */
const BEGINNING = 16;

/** A fault of the file, or something active in it. */
class NoWorkbook extends Error {}

/**
 * Whether a ZIP is a workbook of data alone, and of which kind. It must say of each part what it is, and be allowed to
 * have that: names prove nothing, since a macro can have any (DOC-24).
 */
export async function workbookTypeOf(bytes: Buffer): Promise<'xlsx' | 'ods' | null> {
  try {
    const parts = await Parts.of(bytes);
    const type = parts.has(MIMETYPE) ? await judgeOds(parts) : await judgeXlsx(parts);
    for (const name of parts.names) judgeBeginning(await parts.beginning(name));
    return type;
  } catch {
    // Faults of ZIP and of XML come from two libraries, and all mean the same here.
    return null;
  }
}

/** The parts of a ZIP by name; folders have none. */
class Parts {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  #unpacked = 0;

  static async of(bytes: Buffer): Promise<Parts> {
    const zip = await fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: true });
    const entries = new Map<string, Entry>();
    let count = 0;
    for await (const entry of zip.eachEntry()) {
      count += 1;
      // Names of parts are equal in every case (ISO/IEC 29500-2, 6.2.2.3).
      const name = entry.fileName.toLowerCase();
      if (count > PARTS_MAX || entries.has(name)) throw new NoWorkbook();
      if (!name.endsWith('/') || entry.uncompressedSize > 0) entries.set(name, entry);
    }
    return new Parts(zip, entries);
  }

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  async text(name: string): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.#read(name)) {
      this.#unpacked += chunk.length;
      if (this.#unpacked > UNPACKED_MAX) throw new NoWorkbook();
      chunks.push(chunk);
    }
    // Bytes that are not UTF-8 are no well-formed XML then, and are refused.
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  }

  async beginning(name: string): Promise<string> {
    let text = '';
    for await (const chunk of this.#read(name)) {
      text += chunk.toString('latin1');
      if (text.length >= BEGINNING) break;
    }
    return text;
  }

  async *#read(name: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name);
    if (!entry) throw new NoWorkbook();
    const stream = await this.#zip.openReadStreamPromise(entry);
    yield* stream as AsyncIterable<Buffer>;
  }
}

/** An OLE file, as macros and embedded objects are, a program, or another ZIP. */
const ACTIVE_BEGINNINGS = ['\u00d0\u00cf\u0011\u00e0', 'MZ', '\u007fELF', 'PK\u0003\u0004', '#!'];

function judgeBeginning(beginning: string): void {
  if (ACTIVE_BEGINNINGS.some((active) => beginning.startsWith(active))) throw new NoWorkbook();
}

// ISO/IEC 29500-2: an OPC package has the type of each part in one list, and relations beside the parts.

const CONTENT_TYPES = '[content_types].xml';
const RELATIONS = /(^|\/)_rels\/[^/]*\.rels$/;
const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';

/** The data of a workbook, how it looks, and what is said of it. Absent are macros, embedded objects, controls, add-ins. */
const XLSX_TYPES = new RegExp(
  `^(${[
    'application/vnd\\.openxmlformats-officedocument\\.spreadsheetml\\.(sheet\\.main|worksheet|chartsheet|sharedStrings|' +
      'styles|comments|table|tableSingleCells|calcChain|connections|externalLink|queryTable|pivotTable|' +
      'pivotCacheDefinition|pivotCacheRecords|sheetMetadata|volatileDependencies|userNames|revisionHeaders|revisionLog)\\+xml',
    'application/vnd\\.openxmlformats-officedocument\\.spreadsheetml\\.(printerSettings|customProperty)',
    'application/vnd\\.openxmlformats-officedocument\\.(theme|themeOverride|drawing|extended-properties|custom-properties|' +
      'customXmlProperties)\\+xml',
    'application/vnd\\.openxmlformats-officedocument\\.drawingml\\.\\w+\\+xml',
    'application/vnd\\.openxmlformats-officedocument\\.(vmlDrawing|model\\+data)',
    'application/vnd\\.openxmlformats-package\\.(relationships\\+xml|core-properties\\+xml|' +
      'digital-signature-(origin|xmlsignature\\+xml|certificate))',
    'application/vnd\\.ms-excel\\.(person|threadedcomments|slicer|slicerCache|timeline|timelineCache|rdarray|rdrichvalue|' +
      'rdrichvaluestructure|rdrichvaluetypes|rdsupportingpropertybag|rdsupportingpropertybagstructure|' +
      'rdrichvaluewebimage|richstyles|namedsheetviews|wssortmap|featurepropertybag|controlproperties)\\+xml',
    'application/vnd\\.ms-office\\.(chartstyle|chartcolorstyle|chartex|drawingml\\.\\w+|classificationlabels)\\+xml',
    '(application|text)/xml',
    'image/[\\w.+-]+',
  ].join('|')})$`,
  'i',
);

const EXTERNAL_LINK = /\.externalLink\+xml$/i;

/** The last part of the URI that says what a relation is. */
const ACTIVE_RELATION =
  /vba|macro|oleobject|package$|activex|(^|\/)control$|extensibility|toolbars|dialogsheet|webextension|taskpane|attachedtemplate|(^|\/)frame$|video|audio/i;

async function judgeXlsx(parts: Parts): Promise<'xlsx'> {
  const types = await readContentTypes(parts);
  let hasWorkbook = false;
  for (const name of parts.names) {
    if (name === CONTENT_TYPES) continue;
    const type = types.parts.get(name) ?? types.endings.get(name.split('.').at(-1) ?? '');
    if (type === undefined || !XLSX_TYPES.test(type)) throw new NoWorkbook();
    hasWorkbook ||= type === WORKBOOK;
    if (RELATIONS.test(name)) await judgeRelations(parts, name);
    if (EXTERNAL_LINK.test(type)) await judgeLink(parts, name);
  }
  if (!hasWorkbook) throw new NoWorkbook();
  return 'xlsx';
}

async function readContentTypes(parts: Parts) {
  const types = { endings: new Map<string, string>(), parts: new Map<string, string>() };
  const add = (to: Map<string, string>, key: string | undefined, type: string | undefined) => {
    const known = key?.toLowerCase().replace(/^\//, '');
    if (known === undefined || type === undefined) throw new NoWorkbook();
    // Some programs write the same line twice.
    if ((to.get(known) ?? type) !== type) throw new NoWorkbook();
    to.set(known, type);
  };
  readXml(await parts.text(CONTENT_TYPES), ({ name, attributes }) => {
    const { Extension, PartName, ContentType } = attributes;
    if (name === 'Default') add(types.endings, Extension, ContentType);
    if (name === 'Override') add(types.parts, PartName, ContentType);
  });
  return types;
}

async function judgeRelations(parts: Parts, name: string): Promise<void> {
  readXml(await parts.text(name), ({ name: element, attributes: { Type } }) => {
    if (element !== 'Relationship') return;
    if (Type === undefined || ACTIVE_RELATION.test(Type)) throw new NoWorkbook();
  });
}

/** A link to another workbook is data; one to a program (DDE, OLE) starts it. */
async function judgeLink(parts: Parts, name: string): Promise<void> {
  readXml(await parts.text(name), ({ name: element }) => {
    if (/^(dde|ole)Link$/.test(element)) throw new NoWorkbook();
  });
}

// OpenDocument 1.3, part 2: the first part says which document it is, and the manifest what each part is.

const MIMETYPE = 'mimetype';
const ODS = 'application/vnd.oasis.opendocument.spreadsheet';
const MANIFEST = 'meta-inf/manifest.xml';

/** The document, its charts, pictures, and what LibreOffice keeps of its own window. */
const ODS_PARTS = new RegExp(
  `^(${[
    'mimetype',
    'manifest\\.rdf',
    'meta-inf/(manifest|documentsignatures)\\.xml',
    '(object [^/]+/)*(content|styles|meta|settings)\\.xml',
    '(object [^/]+/)*(pictures|media)/[^/]+\\.(png|jpe?g|gif|bmp|tiff?|svg|emf|wmf|svm|webp)',
    '(object [^/]+/)*objectreplacements/[^/]+',
    'thumbnails/thumbnail\\.png',
    'configurations2/([^/]+/)*[^/]+\\.(xml|png)',
  ].join('|')})$`,
);

const ODS_TYPES =
  /^(|text\/xml|text\/rdf|application\/rdf\+xml|image\/[\w.+-]+|application\/vnd\.oasis\.opendocument\.(spreadsheet|chart|formula|graphics)|application\/vnd\.sun\.xml\.ui\.configuration|application\/x-openoffice-\w+(;.*)?)$/;

async function judgeOds(parts: Parts): Promise<'ods'> {
  if ((await parts.text(MIMETYPE)).trim() !== ODS) throw new NoWorkbook();
  if (!parts.has('content.xml')) throw new NoWorkbook();
  if (parts.names.some((name) => !ODS_PARTS.test(name))) throw new NoWorkbook();
  readXml(await parts.text(MANIFEST), ({ name, attributes }) => {
    if (name === 'encryption-data') throw new NoWorkbook();
    if (name === 'file-entry' && !ODS_TYPES.test(attributes['media-type'] ?? '')) {
      throw new NoWorkbook();
    }
  });
  return 'ods';
}
