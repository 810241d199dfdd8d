import type { FaultList } from './bank-file-fault.ts';

/** Longer than any XML declaration. */
const HEAD = 256;
const DECLARED = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"'>]{1,40})["']/;
/** Declared encodings, and the decoder used for each. */
const ENCODINGS: Readonly<Record<string, string>> = {
  'UTF-8': 'utf-8',
  UTF8: 'utf-8',
  'US-ASCII': 'utf-8',
  'ISO-8859-1': 'windows-1252',
  LATIN1: 'windows-1252',
  'WINDOWS-1252': 'windows-1252',
  'ISO-8859-15': 'iso-8859-15',
};
const KNOWN = 'UTF-8, UTF-16 og ISO-8859-1';

/**
 * Decodes the bytes of an XML file. UTF-16 is recognised by the bytes themselves; other encodings are taken from
 * the declaration. A file whose declaration contradicts its bytes is refused.
 */
export class XmlDecoder {
  readonly #faults: FaultList;
  #head: Buffer = Buffer.alloc(0);
  #decoder: TextDecoder | null = null;
  #name = '';

  constructor(faults: FaultList) {
    this.#faults = faults;
  }

  /** @param line the line at which these bytes begin. @throws BankFileFault */
  decode(bytes: Uint8Array, line: number): string {
    if (this.#decoder) return this.#decode(this.#decoder, bytes, line);
    this.#head = Buffer.concat([this.#head, bytes]);
    return this.#head.length < HEAD ? '' : this.#decodeHead(line);
  }

  /** @throws BankFileFault */
  end(line: number): string {
    const head = this.#decoder ? '' : this.#decodeHead(line);
    return head + this.#decode(this.#decoder, null, line);
  }

  #decodeHead(line: number): string {
    this.#name = this.#recognise(line);
    this.#decoder = new TextDecoder(this.#name, { fatal: true });
    return this.#decode(this.#decoder, this.#head, line);
  }

  #recognise(line: number): string {
    const head = this.#head.subarray(0, HEAD);
    const wide = recogniseUtf16(head);
    const start = wide ? new TextDecoder(wide).decode(head) : head.toString('latin1');
    const isMarked = start.startsWith('\u00EF\u00BB\u00BF');
    const declared = DECLARED.exec(isMarked ? start.slice(3) : start)?.[1];
    const stop = (message: string) => this.#faults.stop({ message, line });
    const claim = `Filen sier at den er ${declared ?? ''}`;
    if (declared !== undefined && /^utf-?16/i.test(declared)) {
      return wide ?? stop(`${claim}, men innholdet er det ikke.`);
    }
    if (wide) return declared === undefined ? wide : stop(`${claim}, men innholdet er UTF-16.`);
    if (declared === undefined) return 'utf-8';
    const encoding = ENCODINGS[declared.toUpperCase()];
    if (encoding === undefined) return stop(`${claim}. Tegnsettet må være ${KNOWN}.`);
    if (isMarked && encoding !== 'utf-8') return stop(`${claim}, men innholdet er UTF-8.`);
    return encoding;
  }

  #decode(decoder: TextDecoder | null, bytes: Uint8Array | null, line: number): string {
    try {
      return bytes ? (decoder?.decode(bytes, { stream: true }) ?? '') : (decoder?.decode() ?? '');
    } catch {
      const message = `Filen har byte som ikke er ${this.#name.toUpperCase()}: feil tegnsett.`;
      return this.#faults.stop({ message, line: line + linesBeforeFault(this.#name, bytes) });
    }
  }
}

/** By a byte order mark, or by zero bytes beside ASCII characters. */
function recogniseUtf16(head: Uint8Array): string | null {
  const [first, second] = head;
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  if ((first === 0xff && second === 0xfe) || (first !== undefined && second === 0))
    return 'utf-16le';
  return null;
}

/** The number of lines before the first invalid bytes. */
function linesBeforeFault(encoding: string, bytes: Uint8Array | null): number {
  if (!bytes) return 0;
  // The first bytes may continue a character of the previous part.
  const isFirst = (byte: number) => byte < 0x80 || byte >= 0xc0;
  const start = Math.max(0, bytes.subarray(0, 4).findIndex(isFirst));
  const [before = ''] = new TextDecoder(encoding).decode(bytes.subarray(start)).split('\uFFFD', 1);
  return before.split('\n').length - 1;
}
