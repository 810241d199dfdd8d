import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

import { errorCode } from './log/outside-error.ts';

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
