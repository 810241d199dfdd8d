import fs from 'node:fs';
import path from 'node:path';

const FOLDER = 'server/db/migrations';
const LIST = 'server/db/migrate.ts';
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * Makes the file of the next migration and adds it to the list of those that the product knows.
 *
 * @param root the project's folder
 * @param name what it is about, such as `due-dates`
 * @returns the file, relative to root
 * @throws TypeError for a name that cannot be one, or that another migration has
 */
export function addMigration(root: string, name: string): string {
  if (!NAME.test(name)) {
    throw new TypeError(
      `"${name}" cannot be a migration's name: small letters, digits and hyphens, such as due-dates.`,
    );
  }
  const list = path.join(root, LIST);
  const known = fs.readFileSync(list, 'utf8');
  const variable = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  if (new RegExp(`\\b${variable}\\b`).test(known)) {
    throw new TypeError(`${LIST} has a "${variable}" already: choose another name.`);
  }
  const latest = latestOf(path.join(root, FOLDER));
  const stem = `${String(Number(latest.slice(0, 4)) + 1).padStart(4, '0')}-${name}`;
  const updated = register(known, { latest, stem, variable });
  const file = `${FOLDER}/${stem}.ts`;
  fs.writeFileSync(path.join(root, file), contentOf(variable, latest), { flag: 'wx' });
  fs.writeFileSync(list, updated);
  return file;
}

function latestOf(folder: string): string {
  const latest = fs
    .readdirSync(folder)
    .filter((entry) => /^\d{4}-.*\.ts$/.test(entry))
    // Without the ending, before whose dot a hyphen comes: '0038-logos' is before '0038-logos-indexes'.
    .map((entry) => entry.replace(/\.ts$/, ''))
    .toSorted()
    .at(-1);
  if (latest === undefined) throw new Error(`There is no migration in ${folder}`);
  return latest;
}

interface Entry {
  readonly latest: string;
  readonly stem: string;
  readonly variable: string;
}

/** After the lines of the latest one. */
function register(known: string, { latest, stem, variable }: Entry): string {
  const importLine = `import { ${variable} } from './migrations/${stem}.ts';`;
  const entry = `  '${stem}': ${variable},`;
  return addAfter(
    addAfter(known, `from './migrations/${latest}.ts';`, importLine),
    `  '${latest}':`,
    entry,
  );
}

function addAfter(text: string, anchor: string, line: string): string {
  const at = text.indexOf(anchor);
  const end = text.indexOf('\n', at);
  if (at === -1 || text.includes(anchor, end)) {
    throw new Error(`${LIST} should have one line with ${anchor}`);
  }
  return `${text.slice(0, end)}\n${line}${text.slice(end)}`;
}

/** It cannot run as it is: what nobody wrote must not count as done. */
function contentOf(variable: string, latest: string): string {
  return `import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** … */
export const ${variable}: Migration = { up, runsBeside: '${latest}' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`ALTER TABLE …\`.execute(db);
}
`;
}
