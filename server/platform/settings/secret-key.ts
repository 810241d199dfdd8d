import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { errorCode } from '../log/outside-error.ts';

const KEY_BYTES = 32;
const KEY = /^[0-9a-f]{64}$/i;

/**
 * The key of earlier starts, or a new one: 64 hex digits in `<dataDir>/secret.key`.
 *
 * @throws Error with a message for the operator when the file has other content
 */
export function loadSecretKey(dataDir: string): string {
  const file = join(dataDir, 'secret.key');
  const key = readKey(file) ?? makeKey(file);
  if (KEY.test(key)) return key;
  throw new Error(
    `${file} is not 64 hex digits: put your copy of it back. Without one, remove the file, and a new key is made: then people log in anew, and tokens and links to unsubscribe stop working`,
  );
}

function readKey(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Writes a new key to a temporary file and renames it once it is on disk. Returns the content of the final file,
 * since another first start may have been faster.
 */
function makeKey(file: string): string {
  const aside = `${file}.new-${process.pid}`;
  const handle = openSync(aside, 'w', 0o600);
  try {
    writeFileSync(handle, randomBytes(KEY_BYTES).toString('hex'));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  giveName(aside, file);
  return readKey(file) ?? '';
}

/** Errors of file systems without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Gives a file written under a temporary name its final name, and syncs that to disk. Returns false when a file of
 * that name exists, which stays. The temporary file is removed either way.
 */
export function giveName(written: string, file: string): boolean {
  try {
    // A rename would replace a file that another process has made meanwhile.
    linkSync(written, file);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return false;
    if (!NO_LINKS.has(code)) throw error;
    renameSync(written, file);
  } finally {
    rmSync(written, { force: true });
  }
  syncFolder(dirname(file));
  return true;
}

/** Windows cannot open folders. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
