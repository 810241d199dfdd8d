import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { run } from './packages.mjs';

// All sources of the bundle.
const SOURCES = ['web', 'domain', 'vite.config.ts', 'tsconfig.json', 'package-lock.json'];
const OUTPUT = path.join('dist', 'web');
// Beside the output, not in it: everything inside is served to the public.
const STAMP = path.join('dist', 'web.stamp');

/**
 * Whether dist/web was built from the current sources. Also true before there is a web app.
 *
 * @param {string} root the project's folder
 */
export function webAppIsCurrent(root) {
  if (!fs.existsSync(path.join(root, 'web', 'index.html'))) return true;
  const stamp = path.join(root, STAMP);
  return (
    fs.existsSync(path.join(root, OUTPUT, 'index.html')) &&
    fs.existsSync(stamp) &&
    fs.readFileSync(stamp, 'utf8') === webFingerprint(root)
  );
}

/**
 * Builds the web app beside the old one and then replaces it, so that an interrupted build leaves the old one intact.
 *
 * @param {string} root the project's folder
 * @throws {Error} with a message for the user
 */
export async function buildWebApp(root) {
  process.stderr.write('Building the web app …\n');
  const at = (/** @type {string} */ name) => path.join(root, name);
  const fingerprint = webFingerprint(root);
  const fresh = at(`${OUTPUT}-next`);
  const vite = at(path.join('node_modules', 'vite', 'bin', 'vite.js'));
  const args = [vite, 'build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'];
  const node = at(path.join('node_modules', '.bin', 'node'));
  const code = await run(node, args, {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (code !== 0) throw new Error('The web app could not be built; the reason is above.');
  fs.rmSync(at(STAMP), { force: true });
  fs.rmSync(at(OUTPUT), { recursive: true, force: true });
  fs.renameSync(fresh, at(OUTPUT));
  fs.writeFileSync(at(STAMP), fingerprint);
}

/**
 * A hash of the contents of all sources; file times are not used, since a checkout changes them.
 *
 * @param {string} root
 */
export function webFingerprint(root) {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    for (const file of filesUnder(root, source)) {
      hash.update(`${file}\n`).update(fs.readFileSync(path.join(root, file)));
    }
  }
  return hash.digest('hex');
}

/**
 * @param {string} root
 * @param {string} name
 * @returns {string[]} sorted paths relative to root, without tests and hidden files
 */
function filesUnder(root, name) {
  const stat = fs.statSync(path.join(root, name), { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return [name];
  return fs
    .readdirSync(path.join(root, name))
    .filter((entry) => !entry.startsWith('.') && !/\.test\.tsx?$/.test(entry))
    .toSorted()
    .flatMap((entry) => filesUnder(root, path.join(name, entry)));
}
