import sax from 'sax';

/** An element that has ended. */
export interface XmlElement {
  /** Local names from the root to this one. */
  readonly path: readonly string[];
  readonly uri: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** What is right in it, without spaces around. */
  readonly text: string;
}

/**
 * Reads a document of a stranger: calls for each element when it ends.
 * @throws Error when it is not well-formed, or declares a document type
 */
export function readXml(xml: string, onElement: (element: XmlElement) => void): void {
  const open: { tag: sax.QualifiedTag; text: string }[] = [];
  sax
    .createStream(true, { xmlns: true, trim: true })
    .on('error', (error: Error) => {
      throw error;
    })
    .on('doctype', () => {
      throw new Error('A document type is declared');
    })
    .on('opentag', (tag: sax.QualifiedTag) => open.push({ tag, text: '' }))
    .on('text', (text: string) => {
      const innermost = open.at(-1);
      if (innermost) innermost.text += text;
    })
    .on('closetag', () => {
      const path = open.map(({ tag }) => tag.local);
      const element = open.pop();
      if (!element) return;
      const { uri, local: name, attributes } = element.tag;
      const values = Object.values(attributes).map((each) => [each.local, each.value] as const);
      const { text } = element;
      onElement({ path, uri, name, attributes: Object.fromEntries(values), text });
    })
    .end(xml);
}
