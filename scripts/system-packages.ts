import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { findPostgresPrograms } from '../server/testing/postgres-programs.ts';

const CLUSTER_SETTINGS = '/etc/postgresql-common/createcluster.conf';
const CLUSTER_TEMPLATE = '/usr/share/postgresql-common/createcluster.conf';

interface Need {
  debianPackage: string;
  isPresent: () => boolean;
}

const NEEDS: Need[] = [
  {
    debianPackage: 'postgresql',
    isPresent: () => Boolean(process.env.TEST_DATABASE_URL) || findPostgresPrograms() !== undefined,
  },
  { debianPackage: 'chromium', isPresent: () => findProgram('chromium') !== undefined },
  {
    debianPackage: 'webkit2gtk-driver',
    isPresent: () => findProgram('WebKitWebDriver') !== undefined,
  },
  { debianPackage: 'xvfb', isPresent: () => findProgram('Xvfb') !== undefined },
  {
    debianPackage: 'poppler-utils',
    isPresent: () =>
      ['pdftotext', 'pdfinfo', 'pdftoppm', 'pdfdetach'].every((name) => findProgram(name)),
  },
  { debianPackage: 'libxml2-utils', isPresent: () => findProgram('xmllint') !== undefined },
];

export interface Machine {
  missing: string[];
  canInstall: boolean;
  install: (packages: string[]) => boolean;
}

/**
 * Sees to it that PostgreSQL, Chromium, WebKit with a display to draw on, poppler and xmllint are there, which
 * the tests need and npm cannot bring. Root on Debian gets them installed; anybody else is told which to install.
 *
 * @returns undefined when all are there, or else one line that says what to do
 */
export function ensureSystemPackages(machine: Machine = thisMachine()): string | undefined {
  const { missing } = machine;
  if (missing.length === 0) return undefined;
  const advice = `install ${missing.join(', ')} (on Debian: apt-get install ${missing.join(' ')}).`;
  if (!machine.canInstall) return `The tests need more than npm can bring: ${advice}`;
  console.log(`Installing ${missing.join(', ')} …`);
  return machine.install(missing) ? undefined : `apt-get failed, see above: ${advice}`;
}

function thisMachine(): Machine {
  return {
    missing: NEEDS.filter((need) => !need.isPresent()).map((need) => need.debianPackage),
    canInstall: process.getuid?.() === 0 && fs.existsSync('/etc/debian_version'),
    install: installDebianPackages,
  };
}

/**
 * @param extraOptions of apt-get, such as `--simulate`
 * @returns whether it succeeded; what apt-get said is on standard error
 */
export function installDebianPackages(packages: string[], extraOptions: string[] = []): boolean {
  const undo = packages.includes('postgresql') ? preventDefaultCluster() : () => undefined;
  try {
    const install = ['install', '-y', '--no-install-recommends', ...extraOptions, ...packages];
    return apt(['update']) && apt(install);
  } finally {
    undo();
  }
}

function apt(args: string[]): boolean {
  // -qq keeps it to its errors; the answer to every question is the default one.
  const result = spawnSync('apt-get', ['-qq', '-o', 'Dpkg::Options::=--force-confold', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 2, 2],
  });
  return result.status === 0;
}

/**
 * postgresql-common makes the cluster `main` and starts it, unless its configuration says no.
 *
 * @returns what puts the configuration back as it was, or as the package would have written it
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

function findProgram(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => fs.existsSync(file));
}
