// node scripts/english.ts: refuses comments that begin with a word of a riddle, and names that say nothing.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const FOLDERS = ['domain', 'server', 'web', 'scripts', 'bench', 'operations', 'e2e'];
const FILES = /\.(?:ts|tsx|mjs|sql)$/;

/** A comment that begins so is seldom a sentence with a subject and a verb. */
const RIDDLE =
  /^\s*(?:\/\*\*|\*|\/\/|--)\s+(?:What|Whatever|Who|Whoever|Whose|Of|That|As before)\b/;
const EMPTY_NAMES = ['told', 'asBefore', 'areThere'];
const EMPTY_NAME = new RegExp(`(?<![\\w.'"\`-])(?:${EMPTY_NAMES.join('|')})(?=\\s*[:=,)(.;}])`);
const STRING_OR_COMMENT =
  /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\/.*$|^\s*\*.*$/g;

const { stdout } = spawnSync('git', ['ls-files', ...FOLDERS], { cwd: ROOT, encoding: 'utf8' });
const faults = stdout
  .split('\n')
  .filter((file) => FILES.test(file) && fs.existsSync(path.join(ROOT, file)))
  .flatMap((file) =>
    fs
      .readFileSync(path.join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const isRiddle = RIDDLE.test(line);
        if (!isRiddle && !EMPTY_NAME.test(line.replaceAll(STRING_OR_COMMENT, ''))) return [];
        return [`${file}:${index + 1}: ${line.trim()}`];
      }),
  );
if (faults.length > 0) {
  console.log(`Say it with a subject and a verb, in the field's words:\n${faults.join('\n')}`);
  process.exitCode = 1;
}
