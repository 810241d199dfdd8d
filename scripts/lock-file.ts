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
