import { XmlReader, type XmlTag } from '../../../platform/xml/xml-reader.ts';

/** An element that has ended. */
export interface XmlElement {
  /** Local names from the root to this one. */
  readonly path: readonly string[];
  readonly uri: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Its own text, trimmed. */
  readonly text: string;
}

/**
 * Reads a document of a stranger: calls for each element when it ends.
 * @throws XmlFault when it is not well-formed, or declares a document type
 */
export function readXml(xml: string, onElement: (element: XmlElement) => void): void {
  const open: { tag: XmlTag; text: string }[] = [];
  const reader = new XmlReader({
    onOpen: (tag) => void open.push({ tag, text: '' }),
    onText: (text) => {
      const innermost = open.at(-1);
      if (innermost) innermost.text += text;
    },
    onClose: () => {
      const path = open.map(({ tag }) => tag.local);
      const element = open.pop();
      if (!element) return;
      const { uri, local: name } = element.tag;
      const values = Object.values(element.tag.attributes).map(
        (attribute) => [attribute.local, attribute.value] as const,
      );
      const text = element.text.trim();
      onElement({ path, uri, name, attributes: Object.fromEntries(values), text });
    },
  });
  reader.write(xml);
  reader.end();
}
