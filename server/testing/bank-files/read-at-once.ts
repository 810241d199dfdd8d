import fs from 'node:fs';
import path from 'node:path';

import { BankFileFault, type FileFault } from '../../payment/bank-file/read/bank-file-fault.ts';
import { BankFileParser, type ParsedFile } from '../../payment/bank-file/read/bank-file-parser.ts';

/** Parses a file in this thread, in pieces of `piece` bytes. @throws BankFileFault */
export function readAtOnce(bytes: Uint8Array, piece = bytes.byteLength + 1): ParsedFile {
  const parser = new BankFileParser();
  for (let start = 0; start < bytes.byteLength; start += piece) {
    parser.write(bytes.subarray(start, start + piece));
  }
  return parser.end();
}

/** The faults of a file; empty when it is valid. */
export function faultsOf(bytes: Uint8Array): readonly FileFault[] {
  try {
    readAtOnce(bytes);
    return [];
  } catch (error) {
    if (error instanceof BankFileFault) return error.faults;
    throw error;
  }
}

const SHARED = path.resolve(import.meta.dirname, '../../../../shared/bank');

/** The folder with samples and official schemas beside the project; null when it is missing. */
export function findBankSamples(): string | null {
  return fs.existsSync(SHARED) ? SHARED : null;
}
