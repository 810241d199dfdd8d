import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `work` while holding a lock file, so that two `npm start` at once neither install into the same node_modules
 * nor build into the same folder. A lock whose process has ended is taken over.
 *
 * @param {string} file
 * @param {() => Promise<void>} work
 */
export async function withLock(file, work) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  let hasSaidSo = false;
  while (!tryLock(file)) {
    if (!hasSaidSo) {
      const hint = `if there is none, delete ${file}`;
      process.stderr.write(`Waiting for another run that is preparing this folder (${hint}) …\n`);
    }
    hasSaidSo = true;
    await sleep(200);
  }
  try {
    await work();
  } finally {
    fs.rmSync(file, { force: true });
  }
}

/** @param {string} file */
function tryLock(file) {
  try {
    fs.writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  if (!ownerIsGone(file)) return false;
  // Renamed before it is removed: only one waiter's rename succeeds. It then checks whether it caught the stale lock
  // or a new one taken in between, which it puts back.
  const caught = `${file}.${process.pid}`;
  try {
    fs.renameSync(file, caught);
    if (ownerIsGone(caught)) fs.rmSync(caught);
    else fs.renameSync(caught, file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  return false;
}

/** @param {string} file */
function ownerIsGone(file) {
  try {
    const owner = Number(fs.readFileSync(file, 'utf8'));
    // The owner of an empty file is about to write its process id, or died before it could.
    if (!owner) return Date.now() - fs.statSync(file).mtimeMs > 5000;
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

/**
 * @param {unknown} error
 * @returns {string | undefined}
 */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
