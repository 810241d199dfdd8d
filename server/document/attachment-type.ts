import { endingOf, type AttachmentEnding } from '../../domain/attachment/attachment.schema.ts';
import type { ErrorCode } from '../errors.ts';
import { pictureTypeOf } from '../platform/pictures/picture-use.ts';
import { workbookTypeOf } from './workbook-type.ts';

/**
 * The type of a file by its content, never by what its sender says of it; null for all that EHF does not take, such as
 * a program, a web page, SVG, or a workbook with macros.
 *
 * @param name decides only whether a plain text may be a CSV
 */
export async function typeOfFile(bytes: Buffer, name: string): Promise<AttachmentEnding | null> {
  if (bytes.subarray(0, ZIP.length).equals(ZIP)) return workbookTypeOf(bytes);
  const picture = pictureTypeOf(bytes);
  if (picture !== null) return picture;
  if (isPdf(bytes)) return isWholePdf(bytes) ? 'pdf' : null;
  return endingOf(name) === 'csv' && isTable(bytes) ? 'csv' : null;
}

/** Why a file has no type, for those whose sender can do something about it. */
export function reasonOfRefusal(bytes: Buffer, name: string): ErrorCode {
  if (isPdf(bytes)) return 'attachment_cut';
  return endingOf(name) === 'csv' && isUtf16(bytes) ? 'attachment_utf16' : 'attachment_type';
}

/** APPNOTE 4.3.7. */
const ZIP = Buffer.from('PK\u0003\u0004');

/** Readers find a header that begins within so many bytes (ISO 32000-1, Annex I): printers and mails write before it. */
const BEFORE_PDF_MAX = 1024;
const PDF = '%PDF-';
const PDF_END = '%%EOF';
/** The beginning of a program for Windows or Linux, or the mark-up of a page: such a file has two types. */
const OTHER_TYPE = /^(MZ|\u007fELF|#!)|<\s*(!doctype|html|head|body|script|iframe|svg|\?xml)/i;

function isPdf(bytes: Buffer): boolean {
  const beginning = bytes.toString('latin1', 0, BEFORE_PDF_MAX + PDF.length);
  const at = beginning.indexOf(PDF);
  return at >= 0 && !OTHER_TYPE.test(beginning.slice(0, at));
}

/**
 * Whether nothing of a PDF begins after its last end. One that was saved in parts, or for the web, has an end in its
 * middle too. What others append to a whole one is no object.
 */
function isWholePdf(bytes: Buffer): boolean {
  const end = bytes.lastIndexOf(PDF_END);
  return end >= 0 && !bytes.subarray(end).includes(' obj');
}

/** Excel's 'Unicode text' begins with a mark of the order of bytes; others leave it out, and every other byte is 0. */
function isUtf16(bytes: Buffer): boolean {
  const mark = bytes.toString('latin1', 0, 2);
  return mark === 'ÿþ' || mark === 'þÿ' || (bytes[0] === 0) !== (bytes[1] === 0);
}

/** Control characters that a table has not; from 0x80 on they are letters of Windows-1252. */
const NO_TEXT = /[^\P{Cc}\t\r\n\u0080-\u009f]/u;

/** Whether it is text, and no markup that a browser could take for a page. */
function isTable(bytes: Buffer): boolean {
  // Excel writes Windows-1252 where it is not asked for UTF-8, and every byte is a character there.
  const text = bytes.toString('latin1');
  return !NO_TEXT.test(text) && !/^(ï»¿)?\s*</.test(text);
}
