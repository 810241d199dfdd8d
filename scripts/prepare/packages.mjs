import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const STAMP = path.join('node_modules', '.faktur-stamp');

/**
 * Whether node_modules matches package.json and package-lock.json.
 *
 * @param {string} root the project's folder
 */
export function packagesAreCurrent(root) {
  if (!fs.existsSync(path.join(root, 'node_modules', '.bin', 'node'))) return false;
  const wanted = fingerprint(root);
  if (readText(path.join(root, STAMP)) === wanted) return true;
  // After a manual `npm ci` there is no stamp yet; npm's own record gives the same answer.
  if (!npmInstalledTheLockFile(root)) return false;
  writeStamp(root, wanted);
  return true;
}

/**
 * Installs the locked packages with the npm that runs us.
 *
 * @param {string} root the project's folder
 * @throws {Error} with a message for the user
 */
export async function installPackages(root) {
  if (isTooOld(nodeOfNpm())) {
    throw new Error(
      `npm runs on Node ${nodeOfNpm()}, which is too old to install the packages: 20.19, or 22.12 or ` +
        'later, is needed. Faktur then brings the Node that it runs on.',
    );
  }
  process.stderr.write('Installing packages (npm ci). The first time takes a minute or two …\n');
  // Development packages are needed to build and test, regardless of NODE_ENV. npm's warnings are silenced: they
  // compare `engines` with npm's Node, not with the Node that we install here.
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  args.push('--no-update-notifier', '--loglevel=error');
  const code = await runNpm(root, args);
  if (code !== 0) {
    throw new Error(
      `npm ci failed (exit code ${code}); its own message is above. When it is about the network, ` +
        'run the same command again once the package registry can be reached.',
    );
  }
  await removeUnread(root);
  writeStamp(root, fingerprint(root));
}

/**
 * A quarter of the installed files is never read (docs/decisions/0002-toolchain.md). A file that cannot be removed only
 * takes space.
 *
 * @param {string} root
 */
async function removeUnread(root) {
  const node = path.join(root, 'node_modules', '.bin', 'node');
  const args = [path.join('scripts', 'slim-packages.ts'), 'node_modules'];
  await run(node, args, { cwd: root }).catch(() => undefined);
}

/** Not our own version: we may run on the Node inside node_modules. */
function nodeOfNpm() {
  const agent = process.env.npm_config_user_agent ?? '';
  return /\bnode\/v([\d.]+)/.exec(agent)?.[1] ?? process.versions.node;
}

/**
 * Whether npm on this Node would leave out the native parts of oxlint, rolldown and others, whose `engines` require a
 * newer Node: they are optional packages, which npm skips silently. package.json has the same range.
 *
 * @param {string} version such as 20.19.0
 */
export function isTooOld(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < 20 || major === 21 || (major === 20 && minor < 19) || (major === 22 && minor < 12);
}

/**
 * @param {string} root
 * @param {string[]} args
 */
function runNpm(root, args) {
  const cli = process.env.npm_execpath;
  if (cli && /\.[cm]?js$/.test(cli)) {
    // Not process.execPath: it may be the Node inside the node_modules that npm is about to empty.
    return run(process.env.npm_node_execpath ?? process.execPath, [cli, ...args], { cwd: root });
  }
  return run('npm', args, { cwd: root });
}

/**
 * Changes only when another `npm ci` is due: scripts and texts in package.json do not count.
 *
 * @param {string} root
 */
function fingerprint(root) {
  const manifest = /** @type {Record<string, unknown>} */ (readJson(root, 'package.json'));
  const { dependencies, devDependencies, optionalDependencies, overrides, allowScripts } = manifest;
  const asked = { dependencies, devDependencies, optionalDependencies, overrides, allowScripts };
  return createHash('sha256')
    .update(`${process.platform} ${process.arch}\n${JSON.stringify(asked)}\n`)
    .update(fs.readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
}

/** @param {string} root */
function npmInstalledTheLockFile(root) {
  try {
    const manifest = /** @type {LockedPackage} */ (readJson(root, 'package.json'));
    const locked = /** @type {LockFile} */ (readJson(root, 'package-lock.json'));
    const installed = /** @type {LockFile} */ (readJson(root, 'node_modules/.package-lock.json'));
    return agreesWithRecord(manifest, locked.packages, installed.packages);
  } catch {
    // Absent, or half-written by an interrupted run: install anew.
    return false;
  }
}

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean,
 *   dependencies?: object, devDependencies?: object }} LockedPackage
 * @typedef {{ packages: Record<string, LockedPackage> }} LockFile
 *
 * @param {LockedPackage} manifest package.json
 * @param {Record<string, LockedPackage>} locked `packages` of package-lock.json
 * @param {Record<string, LockedPackage>} installed `packages` of node_modules/.package-lock.json
 * @returns {boolean} whether npm's record holds the locked packages and no others
 */
export function agreesWithRecord(manifest, locked, installed) {
  const top = locked[''] ?? {};
  return (
    same(manifest.dependencies, top.dependencies) &&
    same(manifest.devDependencies, top.devDependencies) &&
    Object.entries(installed).every(
      ([where, is]) =>
        is.version === locked[where]?.version && is.integrity === locked[where]?.integrity,
    ) &&
    // Missing optional packages are for other platforms.
    Object.entries(locked).every(
      ([where, is]) => where === '' || where in installed || is.optional || is.devOptional,
    )
  );
}

/**
 * @param {unknown} a
 * @param {unknown} b
 */
function same(a, b) {
  return JSON.stringify(a ?? {}) === JSON.stringify(b ?? {});
}

/**
 * @param {string} root
 * @param {string} content
 */
function writeStamp(root, content) {
  const stamp = path.join(root, STAMP);
  // Renamed into place, so that nobody reads a partial file.
  fs.writeFileSync(`${stamp}.${process.pid}`, content);
  fs.renameSync(`${stamp}.${process.pid}`, stamp);
}

/** @param {string} file */
function readText(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
}

/**
 * @param {string} root
 * @param {string} name
 * @returns {unknown}
 */
function readJson(root, name) {
  return JSON.parse(fs.readFileSync(path.join(root, name), 'utf8'));
}

/**
 * Runs a program with both its output streams on our standard error, so that only the server writes to the standard
 * output of `npm start`.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>} the exit code; 1 when a signal ended it
 */
export function run(program, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 2, 2] });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
