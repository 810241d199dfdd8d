// node scripts/complete-lock-file.ts, after `npm install` changed package-lock.json.
//
// Programs such as oxlint come as one optional package for each platform. If the registry serves only some of them,
// `npm install` silently leaves the others out of the lock file, and then `npm ci` refuses it everywhere ("Missing …
// from lock file"). This adds their entries with the known fields: name, version and platform. They have no integrity
// hash until somebody runs `npm install` against a registry that has them. The platforms that we test on all have a
// hash.

import fs from 'node:fs';
import path from 'node:path';

export interface LockFile {
  packages: Record<string, LockedPackage>;
}

export interface LockedPackage {
  version?: string;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  dev?: boolean;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
}

/**
 * Optional packages that other packages require and that have no entry in the lock file. `npm ci` refuses a lock file
 * without them.
 */
export function missingPackages(lock: LockFile): { name: string; version: string; dev: boolean }[] {
  return Object.entries(lock.packages).flatMap(([where, asking]) =>
    Object.entries(asking.optionalDependencies ?? {})
      .filter(
        ([name]) =>
          !(`node_modules/${name}` in lock.packages) &&
          !(`${where}/node_modules/${name}` in lock.packages),
      )
      .map(([name, version]) => ({ name, version, dev: asking.dev ?? false })),
  );
}

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'x64'];

/**
 * The platform in the name of a package made by napi-rs, such as `@oxlint/binding-linux-arm64-gnu`.
 *
 * @throws {Error} when the name or the platform in it is unknown
 */
export function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[/-]/);
  const os = SYSTEMS.find((system) => words.includes(system));
  const cpu = PROCESSORS.find((processor) => words.includes(processor));
  if (!os || !cpu) throw new Error(`${name}: no platform in its name`);
  const libc = { gnu: 'glibc', musl: 'musl' }[words.at(-1) ?? ''];
  return { cpu: [cpu], ...(libc && os === 'linux' ? { libc: [libc] } : {}), os: [os] };
}

function complete(): void {
  const file = path.resolve(import.meta.dirname, '..', 'package-lock.json');
  const lock = JSON.parse(fs.readFileSync(file, 'utf8')) as LockFile;

  for (const { name, version, dev } of missingPackages(lock)) {
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platformOf(name),
      ...(dev ? { dev } : {}),
      optional: true,
    };
    console.log(`added ${name} ${version}`);
  }
  // npm's own order, so that its next run changes nothing.
  lock.packages = Object.fromEntries(
    Object.entries(lock.packages).toSorted(([a], [b]) => a.localeCompare(b, 'en')),
  );
  fs.writeFileSync(file, `${JSON.stringify(lock, undefined, 2)}\n`);
}

if (import.meta.main) complete();
