import type { Column } from '../../domain/export/table.ts';

// The parts of a workbook beside its rows (ECMA-376, part 1).

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
/** Characters of a cell (Excel's limit). */
const TEXT_MAX = 32_767;

export interface SheetName {
  readonly name: string;
  readonly columns: number;
}

/** The indexes of the styles in `STYLES`. */
export const STYLE_OF = {
  NUMBER: 0,
  TEXT: 1,
  MONEY: 2,
  DATE: 3,
  HEADING: 4,
  /** Above what stands to the right. */
  HEADING_RIGHT: 5,
} as const;

/** Texts keep a distance from the numbers before them. */
const LEFT = ' applyAlignment="1"><alignment horizontal="left" indent="1"/>';

/** Formats 49, 4 and 14 are built in: text, '#,##0.00' and the date of the reader's country. */
export const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}">
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="6">${[
  'numFmtId="0" fontId="0">',
  `numFmtId="49" fontId="0" applyNumberFormat="1"${LEFT}`,
  'numFmtId="4" fontId="0" applyNumberFormat="1">',
  'numFmtId="14" fontId="0" applyNumberFormat="1">',
  `numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"${LEFT}`,
  'numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1" applyAlignment="1"><alignment horizontal="right"/>',
]
  .map((style) => `<xf fillId="0" borderId="0" xfId="0" ${style}</xf>`)
  .join('')}</cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>`;

export const RELATIONS = `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">
<Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

export function relationsOf(sheets: readonly SheetName[]): string {
  const relations = sheets.map(
    (_sheet, index) =>
      `<Relationship Id="rId${index + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${relations.join('')}
<Relationship Id="rIdStyles" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`;
}

export function workbookOf(sheets: readonly SheetName[]): string {
  const listed = sheets.map(
    ({ name }, index) =>
      `<sheet name="${xmlText(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  return `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${listed.join('')}</sheets></workbook>`;
}

export function contentTypesOf(sheets: readonly SheetName[]): string {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const overrides = [
    ['xl/workbook.xml', 'sheet.main'],
    ['xl/styles.xml', 'styles'],
    ...sheets.map((_sheet, index) => [`xl/worksheets/sheet${index + 1}.xml`, 'worksheet']),
  ].map(([path, kind]) => `<Override PartName="/${path}" ContentType="${type}.${kind}+xml"/>`);
  return `${HEAD}<Types xmlns="${PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`;
}

/** The beginning of a sheet: its heading stays in view. */
export function sheetHead(columns: readonly Column[]): string {
  const widths = columns.map(
    ({ width }, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>`;
}

/** Printed on A4 across, with all columns beside each other. */
const PAGE = '<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>';

/** The end of a sheet, with a filter over all of it. */
export function sheetFoot(columns: number, rows: number): string {
  return `</sheetData><autoFilter ref="A1:${letterOf(columns)}${rows}"/>${PAGE}</worksheet>`;
}

/** The name of a column, from 1: A to Z, AA and so on. */
function letterOf(column: number): string {
  const letter = String.fromCodePoint(65 + ((column - 1) % 26));
  const before = Math.floor((column - 1) / 26);
  return before > 0 ? `${letterOf(before)}${letter}` : letter;
}

/** A text that XML can have as it is. */
const PLAIN = /^[\t\n\r !#-%'-;=?-^`-\uD7FF\uE000-\uFFFD]*$/;

/** A text of XML, without the characters that XML cannot have, and cut where Excel would refuse it. */
export function xmlText(text: string): string {
  if (text.length <= TEXT_MAX && PLAIN.test(text)) return text;
  return (
    text
      .slice(0, TEXT_MAX)
      .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      // Excel reads this as an escaped character (ECMA-376, part 1, § 22.9.2.19).
      .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
  );
}
