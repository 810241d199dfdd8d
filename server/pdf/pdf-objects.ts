/** The indirect objects of a PDF by number, each from after `N 0 obj` to before `endobj`. */
export interface PdfObjects {
  readonly objects: Map<number, Buffer>;
  /** The number of the document catalog. */
  readonly root: number;
  /** The trailer's entries, from `<<` to `>>`, without /Size. */
  readonly trailer: string;
}

const HEADER_SEARCH = 64;
const ENTRY_LENGTH = 20;

/**
 * Takes a PDF apart that Typst wrote: one classic cross-reference table (ISO 32000-1 § 7.5.4) with
 * all objects in use and no object streams. @throws Error for any other file
 */
export function readPdf(file: Buffer): PdfObjects {
  const start = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(file.toString('latin1', file.length - 64));
  const table = Number(start?.[1]);
  const head = /^xref\n0 (\d+)\n/.exec(file.toString('latin1', table, table + HEADER_SEARCH));
  if (!head) throw new Error('The PDF has no cross-reference table where Typst writes one');
  const count = Number(head[1]);
  const entries = table + head[0].length;
  const offsets = Array.from({ length: count - 1 }, (_, index) => {
    const at = entries + (index + 1) * ENTRY_LENGTH;
    return { number: index + 1, offset: Number(file.toString('latin1', at, at + 10)) };
  }).toSorted((left, right) => left.offset - right.offset);
  const objects = new Map<number, Buffer>();
  for (const [index, { number, offset }] of offsets.entries()) {
    const next = offsets[index + 1]?.offset ?? table;
    objects.set(number, bodyOf(file.subarray(offset, next), number));
  }
  const dictionary = file.toString('latin1', entries + count * ENTRY_LENGTH, file.length);
  const trailer = /trailer\s*(<<[^]*>>)\s*startxref/.exec(dictionary)?.[1] ?? '';
  const root = Number(/\/Root (\d+) 0 R/.exec(trailer)?.[1]);
  if (!objects.has(root)) throw new Error('The PDF has no catalog');
  return { objects, root, trailer: trailer.replace(/\/Size \d+/, '') };
}

function bodyOf(slice: Buffer, number: number): Buffer {
  const head = `${number} 0 obj`;
  const end = slice.lastIndexOf('endobj');
  if (slice.toString('latin1', 0, head.length) !== head || end < 0) {
    throw new Error(`Object ${number} is not where the cross-reference table says`);
  }
  return slice.subarray(head.length, end);
}

/** Puts a PDF together again, its objects in the order of the map. */
export function writePdf({ objects, trailer }: PdfObjects): Buffer {
  // The four bytes above 127 tell that the file is binary (ISO 19005-3 § 6.1.2).
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\x80\x80\x80\x80\n', 'latin1')];
  const offsets = new Map<number, number>();
  let length = parts[0]?.length ?? 0;
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  for (const [number, body] of objects) {
    offsets.set(number, length);
    add(Buffer.from(`${number} 0 obj`));
    add(body);
    add(Buffer.from('endobj\n'));
  }
  const size = Math.max(...objects.keys()) + 1;
  const entries = Array.from({ length: size - 1 }, (_, index) => {
    const offset = offsets.get(index + 1);
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}`;
  const end = `trailer\n${trailer.replace('<<', `<<\n  /Size ${size}`)}\nstartxref\n${length}\n%%EOF\n`;
  parts.push(Buffer.from(table + end, 'latin1'));
  return Buffer.concat(parts);
}
