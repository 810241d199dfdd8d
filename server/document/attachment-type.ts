import type { AttachmentEnding } from '../../domain/attachment/attachment.schema.ts';
import { pictureTypeOf } from '../platform/pictures/picture-use.ts';

/**
 * The type of a file by its content, never by what its sender says of it; null for all that EHF does not take, such as
 * a program, a web page, SVG, or a workbook with macros.
 *
 * @param name decides only whether a plain text may be a CSV
 */
export function typeOfFile(content: Uint8Array, name: string): AttachmentEnding | null {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) return 'pdf';
  if (bytes.subarray(0, 4).equals(ZIP)) return spreadsheetType(bytes);
  const picture = pictureTypeOf(bytes);
  if (picture !== null) return picture;
  return name.toLowerCase().endsWith('.csv') && isTable(bytes) ? 'csv' : null;
}

/** APPNOTE 4.3.7. */
const ZIP = Buffer.from('PK\u0003\u0004');

const ODS = 'application/vnd.oasis.opendocument.spreadsheet';
/** The name of the first file in an OpenDocument, which is stored as it is (OpenDocument 1.3, part 2, § 3.3). */
const MIMETYPE = 'mimetype';
const NAME_AT = 30;

function spreadsheetType(bytes: Buffer): 'xlsx' | 'ods' | null {
  const names = namesInZip(bytes);
  if (!names) return null;
  if (names.some((name) => ACTIVE.test(name) && !PRINTER.test(name))) return null;
  const first = NAME_AT + MIMETYPE.length;
  const declared = bytes.subarray(NAME_AT, first).toString('latin1') === MIMETYPE;
  if (declared && bytes.subarray(first, first + ODS.length).toString('latin1') === ODS) {
    return 'ods';
  }
  return names.includes('[Content_Types].xml') && names.includes('xl/workbook.xml') ? 'xlsx' : null;
}

/** Macros and programs are not data; what Excel stores of a printer is harmless. */
const ACTIVE = /^Basic\/|^Scripts\/|\.(bin|exe|js|html?)$/i;
const PRINTER = /^xl\/printerSettings\/[^/]+\.bin$/;

/** APPNOTE 4.3.16 and 4.3.12: the end of the central directory, and an entry of it. */
const END = Buffer.from('PK\u0005\u0006');
const ENTRY = Buffer.from('PK\u0001\u0002');
const END_LENGTH = 22;
const ENTRY_LENGTH = 46;
const LONGEST_COMMENT = 0xffff;

/** The names in a ZIP's directory; null when it has none that can be read. */
function namesInZip(bytes: Buffer): string[] | null {
  const end = bytes.lastIndexOf(END);
  if (end < 0 || end + END_LENGTH > bytes.length) return null;
  if (end < bytes.length - END_LENGTH - LONGEST_COMMENT) return null;
  const names: string[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + ENTRY_LENGTH > end || !bytes.subarray(at, at + 4).equals(ENTRY)) return null;
    const nameEnd = at + ENTRY_LENGTH + bytes.readUInt16LE(at + 28);
    names.push(bytes.subarray(at + ENTRY_LENGTH, nameEnd).toString());
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return names;
}

/** Control characters that a table has not; from 0x80 on they are letters of Windows-1252. */
const NO_TEXT = /[^\P{Cc}\t\r\n\u0080-\u009f]/u;

/** Whether it is text, and no markup that a browser could take for a page. */
function isTable(bytes: Buffer): boolean {
  // Excel writes Windows-1252 where it is not asked for UTF-8, and every byte is a character there.
  const text = bytes.toString('latin1');
  return !NO_TEXT.test(text) && !/^(ï»¿)?\s*</.test(text);
}
