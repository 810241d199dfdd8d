import { SaxesParser, type SaxesTagNS } from 'saxes';

/** Limits for external documents. No real document needs more, and each costs memory or time. */
const DEEPEST = 64;
const LONGEST_NAME = 200;
const MOST_ATTRIBUTES = 50;
const LONGEST_ATTRIBUTE = 10_000;

export type XmlFaultReason =
  | 'NOT_WELL_FORMED'
  | 'DOCUMENT_TYPE'
  | 'TOO_DEEP'
  | 'TOO_LONG'
  | 'ILLEGAL_CHARACTER';

/** A document that is not XML, or not of the kind accepted here. */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';
  readonly reason: XmlFaultReason;
  /** From 1. */
  readonly line: number;

  constructor(reason: XmlFaultReason, line: number, message: string) {
    super(message);
    this.reason = reason;
    this.line = line;
  }
}

/** An opening tag: its local name, the URI of its namespace ('' for none), and its attributes by their names as written. */
export type XmlTag = Pick<SaxesTagNS, 'local' | 'uri' | 'attributes'>;

/** Receives the parts of a document while it is read. */
export interface XmlHandler {
  onOpen(tag: XmlTag): void;
  /** Text between two tags, possibly in parts. */
  onText(text: string): void;
  onClose(): void;
}

/**
 * Reads an external document as a stream: it stores and fetches nothing, knows only the five entities of XML, and
 * refuses any document type.
 */
export class XmlReader {
  // A document that declares XML 1.1 is held to the characters of 1.0.
  readonly #parser = new SaxesParser({
    xmlns: true,
    defaultXMLVersion: '1.0',
    forceXMLVersion: true,
  });
  #depth = 0;
  #attributes = 0;
  #textLength = 0;

  /** @param longestText most characters of one element */
  constructor(handler: XmlHandler, longestText = Infinity) {
    const parser = this.#parser;
    const onText = (text: string) => {
      this.#textLength += text.length;
      if (this.#textLength > longestText) this.#refuse('TOO_LONG');
      handler.onText(text);
    };
    parser.on('error', ({ message }) => {
      const isCharacter = message.includes('disallowed character');
      this.#refuse(isCharacter ? 'ILLEGAL_CHARACTER' : 'NOT_WELL_FORMED', message);
    });
    parser.on('doctype', () => this.#refuse('DOCUMENT_TYPE'));
    parser.on('opentagstart', ({ name }) => {
      this.#depth += 1;
      this.#attributes = 0;
      if (this.#depth > DEEPEST) this.#refuse('TOO_DEEP');
      if (name.length > LONGEST_NAME) this.#refuse('TOO_LONG');
    });
    parser.on('attribute', ({ name, value }) => {
      this.#attributes += 1;
      const isLong = name.length > LONGEST_NAME || value.length > LONGEST_ATTRIBUTE;
      if (isLong || this.#attributes > MOST_ATTRIBUTES) this.#refuse('TOO_LONG');
    });
    parser.on('opentag', (tag) => {
      this.#textLength = 0;
      handler.onOpen(tag);
    });
    parser.on('text', onText);
    parser.on('cdata', onText);
    parser.on('closetag', () => {
      this.#textLength = 0;
      this.#depth -= 1;
      handler.onClose();
    });
  }

  /** The current line, from 1. */
  get line(): number {
    return this.#parser.line;
  }

  /** @throws XmlFault */
  write(text: string): void {
    this.#parser.write(text);
  }

  /** @throws XmlFault when the document is incomplete */
  end(): void {
    this.#parser.close();
  }

  #refuse(reason: XmlFaultReason, detail: string = reason): never {
    throw new XmlFault(reason, this.line, `The XML is refused: ${detail}`);
  }
}

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
