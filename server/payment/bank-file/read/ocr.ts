import type { FaultList } from './bank-file-fault.ts';
import type { Findings } from './findings.ts';
import { OcrLine, printable } from './ocr-fields.ts';
import { OcrTransmission } from './ocr-transmission.ts';

const LENGTH = 80;
/** Anything longer is not a line of the format; reading stops instead of waiting for its end. */
const LONGEST = 1000;
const START = 'NY000010';
const END = 'NY000089';
/** MS-DOS ended files with 0x1A, and some banks' programs still do. */
// oxlint-disable-next-line no-control-regex
const NOTHING = /^[\s\u001A]*$/;

/**
 * Reads OCR giro, service 09, of Nets: lines of 80 characters in ISO 8859-1, of one or more transmissions. Source:
 * Nets, System specification OCR giro 2.0. Fillers are ignored.
 */
export class OcrReader {
  readonly #faults: FaultList;
  readonly #findings: Findings;
  #rest = '';
  #line = 0;
  #transmission: OcrTransmission | null = null;
  #count = 0;

  constructor(faults: FaultList, findings: Findings) {
    this.#faults = faults;
    this.#findings = findings;
  }

  /** @throws BankFileFault */
  write(bytes: Uint8Array): void {
    const { buffer, byteOffset, byteLength } = bytes;
    const text = Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#take(line);
    if (this.#rest.length > LONGEST) this.#take(this.#rest);
  }

  /** @throws BankFileFault */
  end(): 'OCR' {
    // oxlint-disable-next-line no-control-regex
    const rest = this.#rest.replace(/\u001A+$/, '');
    if (rest !== '') this.#take(rest);
    const message = `Filen slutter midt i en forsendelse: sluttposten (${END}) mangler.`;
    if (this.#transmission) this.#faults.stop({ message, line: this.#line });
    this.#faults.throwIfAny();
    if (this.#count === 0) this.#faults.stop({ message: 'Filen er tom.', line: 1 });
    return 'OCR';
  }

  #take(ended: string): void {
    this.#line += 1;
    const isBlank = NOTHING.test(ended);
    if (isBlank && !this.#transmission) return;
    const line = new OcrLine(ended.replace(/\r$/, ''), this.#line, this.#faults);
    if (line.text.length !== LENGTH) this.#refuseLength(line);
    if (!/^NY\d{6}/.test(line.text)) {
      const start = printable(line.field(1, 8));
      this.#stop(
        line,
        `Linjen begynner med «${start}»; i OCR giro begynner den med NY og 6 siffer.`,
      );
    }
    this.#takeRecord(line);
  }

  #takeRecord(line: OcrLine): void {
    const code = line.field(1, 8);
    if (code === START) {
      if (this.#transmission) this.#stop(line, `Forsendelsen før er ikke avsluttet (${END}).`);
      this.#count += 1;
      this.#transmission = new OcrTransmission(line, this.#faults, this.#findings);
    } else if (!this.#transmission) {
      this.#stop(line, `Post ${code} kommer utenfor en forsendelse, som begynner med ${START}.`);
    } else if (code === END) {
      this.#transmission.end(line);
      this.#transmission = null;
    } else {
      this.#transmission.take(line);
    }
  }

  #refuseLength(line: OcrLine): never {
    const { length } = line.text;
    const hint =
      length > LENGTH && line.text.includes('\u00C3') ? ' Er filen lagret på nytt som UTF-8?' : '';
    const count = length > LONGEST ? `mer enn ${LONGEST}` : length;
    return this.#stop(
      line,
      `Linjen har ${count} tegn; i OCR giro har den nøyaktig ${LENGTH}.${hint}`,
    );
  }

  #stop(line: OcrLine, message: string): never {
    return this.#faults.stop({ message, line: line.number });
  }
}
