import sax from 'sax';

/** Limits for external documents. No real document needs more, and each costs memory or time. */
const DEEPEST = 64;
const LONGEST_NAME = 200;
const MOST_ATTRIBUTES = 50;
const LONGEST_ATTRIBUTE = 10_000;
/** XML 1.0, production 2. Surrogates need no check: a lone one fails in decoding. */
// oxlint-disable-next-line no-control-regex
const NO_CHARACTER = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

export type XmlFaultReason =
  | 'NOT_WELL_FORMED'
  | 'DOCUMENT_TYPE'
  | 'TOO_DEEP'
  | 'TOO_LONG'
  | 'ILLEGAL_CHARACTER';

type Scope = Map<string, string>;

const NO_NAMESPACES: Scope = new Map([
  ['', ''],
  ['xml', 'http://www.w3.org/XML/1998/namespace'],
]);

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

/** An opening tag. */
export interface XmlTag {
  /** Without a prefix. */
  readonly local: string;
  /** The URI of its namespace; '' for none. */
  readonly uri: string;
  /** By their names as written, with prefix. */
  readonly attributes: Readonly<Record<string, string>>;
}

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
  readonly #parser: sax.SAXParser;
  readonly #longestText: number;
  /** Namespaces by prefix, for each open element. */
  readonly #scopes: Scope[] = [];
  #textLength = 0;
  #isRootClosed = false;

  /** @param longestText most characters of one element */
  constructor(handler: XmlHandler, longestText = Infinity) {
    // Namespaces are resolved here, which is half as fast again as sax does it.
    const options = { xmlns: false, strictEntities: true };
    const parser = sax.parser(true, options);
    this.#longestText = longestText;
    const onText = (text: string) => {
      this.#checkText(text);
      handler.onText(text);
    };
    // One by one: V8 reads an object to which many are assigned at once four times as slowly.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    parser.onerror = (error) => this.#refuse('NOT_WELL_FORMED', error.message.split('\n')[0]);
    parser.ondoctype = () => this.#refuse('DOCUMENT_TYPE');
    parser.onsgmldeclaration = () => this.#refuse('DOCUMENT_TYPE');
    parser.onopentagstart = ({ name }) => this.#checkTag(name);
    parser.onattribute = (attribute) => this.#checkAttribute(attribute);
    parser.onopentag = (tag) => {
      this.#textLength = 0;
      handler.onOpen(this.#resolve(tag as sax.Tag));
    };
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    parser.ontext = onText;
    parser.oncdata = onText;
    parser.onclosetag = () => {
      this.#textLength = 0;
      this.#scopes.pop();
      this.#isRootClosed = this.#scopes.length === 0;
      handler.onClose();
    };
    this.#parser = parser;
  }

  /** The current line, from 1. */
  get line(): number {
    return this.#parser.line + 1;
  }

  /** @throws XmlFault */
  write(text: string): void {
    this.#parser.write(text);
  }

  /** @throws XmlFault when the document is incomplete */
  end(): void {
    if (!this.#isRootClosed) this.#refuse('NOT_WELL_FORMED', 'Unclosed root tag');
    this.#parser.close();
  }

  #resolve({ name, attributes }: sax.Tag): XmlTag {
    const parent = this.#scopes.at(-1) ?? NO_NAMESPACES;
    const names = Object.keys(attributes);
    // Most elements have no attributes.
    const scope = names.length === 0 ? parent : this.#scopeWith(parent, names, attributes);
    this.#scopes.push(scope);
    const colon = name.indexOf(':');
    const uri = scope.get(name.slice(0, Math.max(0, colon)));
    if (uri === undefined) this.#refuse('NOT_WELL_FORMED', `An unknown prefix: ${name}`);
    return { local: name.slice(colon + 1), uri, attributes };
  }

  #scopeWith(parent: Scope, names: readonly string[], attributes: sax.Tag['attributes']): Scope {
    if (names.length > MOST_ATTRIBUTES) this.#refuse('TOO_LONG');
    const declared = names.filter((each) => each === 'xmlns' || each.startsWith('xmlns:'));
    if (declared.length === 0) return parent;
    const scope = new Map(parent);
    for (const each of declared) scope.set(each.slice('xmlns:'.length), attributes[each] ?? '');
    return scope;
  }

  #checkTag(name: string): void {
    if (this.#isRootClosed) this.#refuse('NOT_WELL_FORMED', 'A second root');
    if (this.#scopes.length >= DEEPEST) this.#refuse('TOO_DEEP');
    if (name.length > LONGEST_NAME) this.#refuse('TOO_LONG');
  }

  #checkAttribute({ name, value }: { name: string; value: string }): void {
    // sax calls hasOwnProperty on the attributes object.
    if (name === 'hasOwnProperty') this.#refuse('TOO_LONG', name);
    const isLong = name.length > LONGEST_NAME || value.length > LONGEST_ATTRIBUTE;
    if (isLong) this.#refuse('TOO_LONG');
    if (NO_CHARACTER.test(value)) this.#refuse('ILLEGAL_CHARACTER');
  }

  #checkText(text: string): void {
    this.#textLength += text.length;
    if (this.#textLength > this.#longestText) this.#refuse('TOO_LONG');
    if (NO_CHARACTER.test(text)) this.#refuse('ILLEGAL_CHARACTER');
  }

  #refuse(reason: XmlFaultReason, detail: string = reason): never {
    throw new XmlFault(reason, this.line, `The XML is refused: ${detail}`);
  }
}
