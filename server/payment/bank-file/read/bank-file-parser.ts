import { createHash } from 'node:crypto';

import type { BankFileFormat } from '../../../../domain/bank-file/bank-file.schema.ts';
import { FaultList } from './bank-file-fault.ts';
import { CamtReader } from './camt.ts';
import { Findings } from './findings.ts';
import { OcrReader } from './ocr.ts';
import type { BankFileSummary, ReadEntry } from './read-entry.ts';

/** A file without faults. */
export interface ParsedFile {
  readonly summary: BankFileSummary;
  /** In the order of the file. */
  readonly entries: readonly ReadEntry[];
}

interface Reader {
  write(bytes: Uint8Array): void;
  end(): BankFileFormat;
}

/** Ignored when the format is recognised: in UTF-16 every other byte is 0, and a byte order mark is not text. */
// oxlint-disable-next-line no-control-regex
const UNSEEN = /[\u0000\u00EF\u00BB\u00BF\u00FE\u00FF\s]/g;
/** Bytes needed to recognise the format. */
const HEAD = 64;

/** Reads a bank file from a stream; recognises the format by content (BANK-9). */
export class BankFileParser {
  readonly #faults = new FaultList();
  readonly #findings: Findings;
  readonly #hash = createHash('sha256');
  #head: Buffer = Buffer.alloc(0);
  #reader: Reader | null = null;

  /** @param onProgress called from time to time during long calls */
  constructor(onProgress: () => void = () => undefined) {
    this.#findings = new Findings(this.#faults, onProgress);
  }

  /** @throws BankFileFault */
  write(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    if (!this.#reader) {
      this.#head = Buffer.concat([this.#head, bytes]);
      if (this.#head.length >= HEAD) this.#begin();
      return;
    }
    this.#reader.write(bytes);
  }

  /** @throws BankFileFault */
  end(): ParsedFile {
    const reader = this.#reader ?? this.#begin();
    const format = reader.end();
    this.#faults.throwIfAny();
    const contents = this.#findings.summarize(format);
    const sha256 = this.#hash.digest('hex');
    return { summary: { ...contents, sha256 }, entries: this.#findings.entries };
  }

  #begin(): Reader {
    const reader = this.#recognise(this.#head.subarray(0, HEAD));
    this.#reader = reader;
    reader.write(this.#head);
    return reader;
  }

  #recognise(head: Buffer): Reader {
    const start = head.toString('latin1').replaceAll(UNSEEN, '');
    if (start.startsWith('<')) return new CamtReader(this.#faults, this.#findings);
    // oxlint-disable-next-line no-control-regex
    const isBlank = /^\u001A*$/.test(start);
    if (start.startsWith('NY') || isBlank) return new OcrReader(this.#faults, this.#findings);
    const message = 'Filen er verken OCR giro, camt.054 eller camt.053.';
    return this.#faults.stop({ message: message + hintOf(start), line: 1 });
  }
}

/** The first characters of files made by gzip, 7-Zip, bzip2, xz and RAR. */
const PACKED = ['\u001F\u008B', '7z\u00BC\u00AF', 'BZh', '\u00FD7zXZ', 'Rar!'].map((mark) =>
  mark.replaceAll(UNSEEN, ''),
);

/** Explains common files that are not bank files. */
function hintOf(start: string): string {
  if (start.startsWith('%PDF')) return ' Den er en PDF.';
  if (start.startsWith('PK')) return ' Den er pakket (zip eller Excel): pakk den ut først.';
  if (PACKED.some((mark) => start.startsWith(mark))) return ' Den er pakket: pakk den ut først.';
  if (start.startsWith('AH')) return ' Den ligner Telepay, som banken ikke bruker lenger.';
  return '';
}
