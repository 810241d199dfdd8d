/** The direction that is the default anyway, by what PDF/UA-1 asks for (ISO 14289-1 § 7.1). */
const PREFERENCES = {
  typst: '/ViewerPreferences <<\n    /Direction /L2R\n  >>',
  ours: '/ViewerPreferences <</DisplayDocTitle true>>',
};

/** The end of the XMP's descriptions of properties: those of a schema that PDF/A-3 knows by itself. */
const SCHEMAS_END = '</rdf:Bag></pdfaExtension:schemas>';
const KNOWN_SCHEMA = '<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Adobe PDF schema<';

/** Says that the document is PDF/UA-1, and describes the property that says so (ISO 19005-3 § 6.6.2.3). */
const UA_IDENTIFICATION =
  '<rdf:li rdf:parseType="Resource">' +
  '<pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>' +
  '<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>' +
  '<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>' +
  '<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">' +
  '<pdfaProperty:category>internal</pdfaProperty:category>' +
  '<pdfaProperty:description>Part of ISO 14289 that the document conforms to</pdfaProperty:description>' +
  '<pdfaProperty:name>part</pdfaProperty:name>' +
  '<pdfaProperty:valueType>Integer</pdfaProperty:valueType>' +
  `</rdf:li></rdf:Seq></pdfaSchema:property></rdf:li>${SCHEMAS_END}` +
  '<pdfuaid:part xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">1</pdfuaid:part>';

/**
 * Declares a PDF/A-3a of Typst as PDF/UA-1 too, which it is: Typst checks and declares one standard at a
 * time. What Typst wrote and nobody needs is overwritten, so that everything stays where the
 * cross-reference table says.
 *
 * @param pdf is changed
 * @throws Error when Typst wrote it otherwise than this version does
 */
export function declareAccessible(pdf: Buffer): void {
  overwrite(pdf, PREFERENCES.typst, PREFERENCES.typst.length, PREFERENCES.ours);
  const start = pdf.lastIndexOf(KNOWN_SCHEMA);
  const end = pdf.indexOf(SCHEMAS_END, Math.max(start, 0)) + SCHEMAS_END.length;
  overwrite(pdf, KNOWN_SCHEMA, end - start, UA_IDENTIFICATION);
}

/** Puts spaces after what is shorter than what it stands for. */
function overwrite(pdf: Buffer, beginning: string, length: number, by: string): void {
  // Both are near the end, after all that the document says.
  const at = pdf.lastIndexOf(beginning);
  if (at < 0 || by.length > length) {
    throw new Error(`Typst did not write ${beginning} as expected`);
  }
  pdf.write(by.padEnd(length), at, 'latin1');
}
