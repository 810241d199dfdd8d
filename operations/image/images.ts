import fs from 'node:fs';
import path from 'node:path';

import { ROOT } from '../../server/testing/process.ts';
import { runProgram, succeeded, type Podman } from './podman.ts';

export const BASE = 'localhost/faktur-base';
export const NPM = 'localhost/faktur-npm';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/**
 * Makes the images that compose.yaml names, without an image registry: Debian by mmdebstrap, the same with npm, and
 * stand-ins of the same names for PostgreSQL and the mail catcher.
 */
export async function makeImages(podman: Podman): Promise<void> {
  await importDebian(podman);
  await buildNpm(podman);
  const at = path.join(ROOT, 'operations', 'image');
  await build(podman, 'postgres:17-trixie', path.join(at, 'postgres'));
  const mail = folderOf(podman, 'mail');
  fs.copyFileSync(path.join(at, 'mail-catcher.mjs'), path.join(mail, 'mail-catcher.mjs'));
  fs.writeFileSync(
    path.join(mail, 'Dockerfile'),
    `FROM ${NPM}\nCOPY mail-catcher.mjs /\nENTRYPOINT ["node", "/mail-catcher.mjs"]\n`,
  );
  await build(podman, 'axllent/mailpit:v1.27', mail);
}

/** The same Debian release as this machine, whose packages it can reach. */
async function importDebian(podman: Podman): Promise<void> {
  const release = fs.readFileSync('/etc/os-release', 'utf8');
  const suite = /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1] ?? 'stable';
  const tar = path.join(podman.folder, 'debian.tar');
  const args = ['--variant=minbase', '--include=libatomic1', suite, tar];
  succeeded(await runProgram('mmdebstrap', args, {}), ['mmdebstrap', ...args]);
  await podman.run('import', tar, BASE);
  fs.rmSync(tar);
}

/** Node is ours; npm, the package registry and the certificates are those of this machine. */
async function buildNpm(podman: Podman): Promise<void> {
  const folder = folderOf(podman, 'npm');
  const npm = async (...args: string[]) =>
    succeeded(await runProgram('npm', args, { cwd: folder }), ['npm', ...args]);
  const version = await npm('--version');
  await npm('install', '--global', `--prefix=${path.join(folder, 'local')}`, `npm@${version}`);
  fs.copyFileSync(process.execPath, path.join(folder, 'local', 'bin', 'node'));
  fs.mkdirSync(path.join(folder, 'local', 'etc'), { recursive: true });
  fs.writeFileSync(
    path.join(folder, 'local', 'etc', 'npmrc'),
    `registry=${await npm('config', 'get', 'registry')}\n`,
  );
  const trusts = fs.existsSync(CERTIFICATES);
  if (trusts) fs.copyFileSync(CERTIFICATES, path.join(folder, 'certificates.crt'));
  const lines = [
    `FROM ${BASE}`,
    'COPY local /usr/local',
    ...(trusts ? [`COPY certificates.crt ${CERTIFICATES}`] : []),
    ...(trusts ? [`ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`] : []),
  ];
  fs.writeFileSync(path.join(folder, 'Dockerfile'), `${lines.join('\n')}\n`);
  await build(podman, NPM, folder);
}

function folderOf(podman: Podman, name: string): string {
  const folder = path.join(podman.folder, name);
  fs.mkdirSync(folder);
  return folder;
}

async function build(podman: Podman, name: string, folder: string): Promise<void> {
  const tag = name.startsWith('localhost/') ? name : `localhost/${name}`;
  const args = ['--network=host', `--build-arg=BASE_IMAGE=${BASE}`, `--tag=${tag}`];
  await podman.run('build', ...args, folder);
}
