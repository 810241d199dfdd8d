import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { findPgBouncer } from '../server/testing/pgbouncer.ts';
import { findPostgresPrograms, SWIFT_PROGRAMS } from '../server/testing/programs.ts';
import type { Suite } from './test-suites.ts';

const CLUSTER_SETTINGS = '/etc/postgresql-common/createcluster.conf';
const CLUSTER_TEMPLATE = '/usr/share/postgresql-common/createcluster.conf';

interface Need {
  debianPackage: string;
  isPresent: () => boolean;
}

const PGBOUNCER: Need = {
  debianPackage: 'pgbouncer',
  isPresent: () => findPgBouncer() !== undefined,
};
const POSTGRES: Need = {
  debianPackage: 'postgresql',
  isPresent: () => findPostgresPrograms() !== undefined,
};
const POPPLER = needOf('poppler-utils', 'pdftotext', 'pdfinfo', 'pdftoppm', 'pdfdetach');
const XMLLINT = needOf('libxml2-utils', 'xmllint');
const UNZIP = needOf('unzip', 'unzip');

const OF_DOCUMENTS = [POPPLER, XMLLINT, UNZIP];
const OF_TEST = [needOf('chromium-headless-shell', 'chromium-headless-shell'), ...OF_DOCUMENTS];
const OF_POSTGRES = [
  {
    ...POSTGRES,
    isPresent: () => Boolean(process.env.TEST_DATABASE_URL) || POSTGRES.isPresent(),
  },
  ...OF_DOCUMENTS,
  PGBOUNCER,
  ...Object.entries(SWIFT_PROGRAMS).map(([program, name]) => needOf(name, program)),
];
const OF_ALL = [
  ...new Set([
    ...OF_TEST,
    needOf('webkit2gtk-driver', 'WebKitWebDriver'),
    needOf('xvfb', 'Xvfb'),
    ...OF_POSTGRES,
  ]),
];

const NEEDS: Record<Suite, Need[]> = {
  test: OF_TEST,
  rest: OF_ALL,
  all: OF_ALL,
  postgres: OF_POSTGRES,
  operations: [
    POSTGRES,
    POPPLER,
    needOf('haproxy', 'haproxy'),
    needOf('etcd-server', 'etcd'),
    needOf('patroni', 'patroni'),
    needOf('pgbackrest', 'pgbackrest'),
    PGBOUNCER,
    needOf('mmdebstrap', 'mmdebstrap'),
    needOf('podman', 'podman'),
    needOf('podman-compose', 'podman-compose'),
    needOf('runc', 'runc'),
    needOf('libreoffice-calc-nogui', 'soffice'),
    needOf('iptables', 'iptables'),
    { debianPackage: 'netavark', isPresent: () => fs.existsSync('/usr/lib/podman/netavark') },
    {
      debianPackage: 'aardvark-dns',
      isPresent: () => fs.existsSync('/usr/lib/podman/aardvark-dns'),
    },
  ],
};

function needOf(debianPackage: string, ...programs: string[]): Need {
  return { debianPackage, isPresent: () => programs.every((name) => findProgram(name)) };
}

export interface Machine {
  missing: string[];
  canInstall: boolean;
  install: (packages: string[]) => boolean;
}

/**
 * Ensures that the programs exist which a suite needs and npm cannot install. For root on Debian it installs them;
 * otherwise it reports which to install.
 *
 * @returns undefined when all exist, otherwise one line that says what to do
 */
export function ensureSystemPackages(
  suite: Suite,
  machine: Machine = thisMachine(NEEDS[suite]),
): string | undefined {
  const { missing } = machine;
  if (missing.length === 0) return undefined;
  const advice = `install ${missing.join(', ')} (on Debian: apt-get install ${missing.join(' ')}).`;
  if (!machine.canInstall) return `The tests need more than npm can bring: ${advice}`;
  console.log(`Installing ${missing.join(', ')} …`);
  return machine.install(missing) ? undefined : `apt-get failed, see above: ${advice}`;
}

function thisMachine(needs: Need[]): Machine {
  return {
    missing: needs.filter((need) => !need.isPresent()).map((need) => need.debianPackage),
    canInstall: process.getuid?.() === 0 && fs.existsSync('/etc/debian_version'),
    install: installDebianPackages,
  };
}

/**
 * Installs packages without starting their services: a test starts what it needs.
 *
 * @param extraOptions of apt-get, such as `--simulate`
 * @returns whether it succeeded; apt-get's messages are on standard error
 */
export function installDebianPackages(packages: string[], extraOptions: string[] = []): boolean {
  const undoCluster = packages.includes('postgresql') ? preventDefaultCluster() : () => undefined;
  const undoServices = preventServices();
  try {
    const install = ['install', '-y', '--no-install-recommends', ...extraOptions, ...packages];
    return apt(['update']) && apt(install);
  } finally {
    undoServices();
    undoCluster();
  }
}

function apt(args: string[]): boolean {
  // -qq prints only errors; every question gets the default answer.
  const options = ['-o', 'Dpkg::Options::=--force-confold', '-o', 'DPkg::Lock::Timeout=300'];
  const result = spawnSync('apt-get', ['-qq', ...options, ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 2, 2],
  });
  return result.status === 0;
}

/**
 * postgresql-common creates and starts the cluster `main`, unless its configuration forbids it.
 *
 * @returns a function that restores the configuration, or removes ours so that the package writes its own
 */
function preventDefaultCluster(): () => void {
  const before = fs.existsSync(CLUSTER_SETTINGS) ? fs.readFileSync(CLUSTER_SETTINGS) : undefined;
  fs.mkdirSync(path.dirname(CLUSTER_SETTINGS), { recursive: true });
  fs.writeFileSync(CLUSTER_SETTINGS, 'create_main_cluster = false\n');
  return () => {
    if (before) fs.writeFileSync(CLUSTER_SETTINGS, before);
    else if (fs.existsSync(CLUSTER_TEMPLATE)) fs.copyFileSync(CLUSTER_TEMPLATE, CLUSTER_SETTINGS);
    else fs.rmSync(CLUSTER_SETTINGS, { force: true });
  };
}

/**
 * Debian's packages start their services when they are installed, unless this program says that it
 * is forbidden (101).
 *
 * @returns what puts the program back that was there
 */
export function preventServices(policy = '/usr/sbin/policy-rc.d'): () => void {
  const kept = `${policy}.before-tests`;
  if (fs.existsSync(policy)) fs.renameSync(policy, kept);
  fs.writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  return () => {
    if (fs.existsSync(kept)) fs.renameSync(kept, policy);
    else fs.rmSync(policy, { force: true });
  };
}

function findProgram(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => fs.existsSync(file));
}
