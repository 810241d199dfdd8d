import { execFile } from 'node:child_process';
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { MIGRATIONS } from '../db/migrate.ts';
import { ROOT } from './process.ts';

const run = promisify(execFile);
const PARTS = ['server', 'domain', 'scripts', 'package.json'];

/** Puts the version of tomorrow into an empty folder: the present one with these migrations more. */
export async function makeNextVersion(
  folder: string,
  migrations: Readonly<Record<string, string>>,
): Promise<void> {
  for (const part of PARTS) await cp(join(ROOT, part), join(folder, part), { recursive: true });
  const registry = join(folder, 'server/db/migrate.ts');
  const entries = Object.keys(migrations);
  const imports = entries.map(
    (name, index) => `import { migration as next${index} } from './migrations/${name}.ts';\n`,
  );
  const lines = entries.map((name, index) => `  '${name}': next${index},\n`);
  const text = await readFile(registry, 'utf8');
  const opening = 'export const MIGRATIONS: Migrations = {\n';
  if (!text.includes(opening)) throw new Error(`${registry} does not list its migrations`);
  await writeFile(
    registry,
    imports.join('') + text.replace(opening, `${opening}${lines.join('')}`),
  );
  for (const [name, source] of Object.entries(migrations)) {
    await writeFile(join(folder, 'server/db/migrations', `${name}.ts`), source);
  }
  await linkPackages(folder);
}

/**
 * Puts the version of the commit before into an empty folder: the last one, when files were changed
 * since. Returns why not, where that cannot be, or null.
 */
export async function makeVersionBefore(folder: string): Promise<string | null> {
  const archive = join(folder, 'before.tar');
  try {
    const { stdout: changes } = await git('status', '--porcelain', '--', ...PARTS);
    const commit = changes === '' ? 'HEAD~1' : 'HEAD';
    await git('archive', '--output', archive, commit, ...PARTS, 'package-lock.json');
    await run('tar', ['-xf', archive, '-C', folder]);
  } catch (error) {
    return `git does not give the commit before: ${String(error)}`;
  }
  const lockFiles = [folder, ROOT].map(async (root) =>
    readFile(join(root, 'package-lock.json'), 'utf8'),
  );
  const [before, now] = await Promise.all(lockFiles);
  if (before !== now) return 'the commit before needs other packages than are installed';
  const files = await readdir(join(folder, 'server/db/migrations'));
  const known = new Set(files.map((file) => file.replace('.ts', '')));
  const alone = Object.entries(MIGRATIONS).filter(
    ([name, { runsBeside }]) => !known.has(name) && !known.has(runsBeside ?? ''),
  );
  if (alone.length > 0) return `the commit before may not run beside ${String(alone[0]?.[0])}`;
  await linkPackages(folder);
  return null;
}

async function git(...args: string[]) {
  return run('git', ['-C', ROOT, ...args]);
}

async function linkPackages(folder: string): Promise<void> {
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}
