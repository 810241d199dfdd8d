import { create } from 'xmlbuilder2';

import type { PdfMetadata } from './pdf-standards.ts';

// As Typst writes it in the information dictionary, which must not differ (ISO 19005-3 § 6.6.3).
const TYPST = 'Typst 0.14.2';

const HEAD = '<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>\n';
const TAIL = '\n<?xpacket end="r"?>';

// PDF/A knows the properties of its own time only; others must be described (ISO 19005-3 § 6.6.2.3).
const UA_SCHEMA = {
  'rdf:Bag': {
    'rdf:li': {
      '@rdf:parseType': 'Resource',
      'pdfaSchema:schema': 'PDF/UA identification schema',
      'pdfaSchema:namespaceURI': 'http://www.aiim.org/pdfua/ns/id/',
      'pdfaSchema:prefix': 'pdfuaid',
      'pdfaSchema:property': {
        'rdf:Seq': {
          'rdf:li': {
            '@rdf:parseType': 'Resource',
            'pdfaProperty:name': 'part',
            'pdfaProperty:valueType': 'Integer',
            'pdfaProperty:category': 'internal',
            'pdfaProperty:description': 'Part of ISO 14289 that the document conforms to',
          },
        },
      },
    },
  },
};

/** The XMP metadata (ISO 16684-1) of a document that is PDF/A-3a and PDF/UA-1, in UTF-8. */
export function xmpPacket({ title, author, date }: PdfMetadata): Buffer {
  const instant = `${date}T00:00:00Z`;
  const description = {
    '@rdf:about': '',
    '@xmlns:dc': 'http://purl.org/dc/elements/1.1/',
    '@xmlns:xmp': 'http://ns.adobe.com/xap/1.0/',
    '@xmlns:pdfaid': 'http://www.aiim.org/pdfa/ns/id/',
    '@xmlns:pdfuaid': 'http://www.aiim.org/pdfua/ns/id/',
    '@xmlns:pdfaExtension': 'http://www.aiim.org/pdfa/ns/extension/',
    '@xmlns:pdfaSchema': 'http://www.aiim.org/pdfa/ns/schema#',
    '@xmlns:pdfaProperty': 'http://www.aiim.org/pdfa/ns/property#',
    'dc:format': 'application/pdf',
    'dc:title': { 'rdf:Alt': { 'rdf:li': { '@xml:lang': 'x-default', '#': title } } },
    'dc:creator': { 'rdf:Seq': { 'rdf:li': author } },
    'dc:language': { 'rdf:Bag': { 'rdf:li': 'nb-NO' } },
    'xmp:CreatorTool': TYPST,
    'xmp:CreateDate': instant,
    'xmp:ModifyDate': instant,
    'pdfaid:part': '3',
    'pdfaid:conformance': 'A',
    'pdfuaid:part': '1',
    'pdfaExtension:schemas': UA_SCHEMA,
  };
  const packet = {
    'x:xmpmeta': {
      '@xmlns:x': 'adobe:ns:meta/',
      'rdf:RDF': {
        '@xmlns:rdf': 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
        'rdf:Description': description,
      },
    },
  };
  return Buffer.from(HEAD + create(packet).end({ headless: true }) + TAIL);
}
