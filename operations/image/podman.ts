import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

import { ROOT } from '../../server/testing/process.ts';

/** A program's output on both streams, and its exit code. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Podman with images, containers, volumes and networks in its own folder, so that those of the machine are untouched.
 */
export interface Podman {
  readonly folder: string;
  /** @throws Error with its output when it fails */
  run(...args: string[]): Promise<string>;
  /** As `run`, but returns a failure. `input` goes to its standard input. */
  ask(args: string[], input?: string): Promise<Outcome>;
  /** podman-compose with a copy of the project's compose.yaml. @throws Error as `run` does */
  compose(...args: string[]): Promise<string>;
  /** Removes everything. */
  close(): Promise<void>;
}

const PROJECT = 'faktur';

/**
 * Opens Podman as root. It builds with chroot isolation, which needs only `mount` from the kernel. It uses `runc`,
 * because Debian's crun requires one version of cgroups. Its limits are lower than root's, because root may not raise
 * its own on every machine.
 *
 * @param settings the content of `.env` beside compose.yaml
 */
export function openPodman(settings: NodeJS.ProcessEnv): Podman {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-podman-'));
  const within = (name: string) => path.join(folder, name);
  fs.mkdirSync(within('tmp'));
  fs.writeFileSync(
    within('storage.conf'),
    `[storage]\ndriver = "overlay"\ngraphroot = "${within('graph')}"\nrunroot = "${within('run')}"\n`,
  );
  fs.writeFileSync(
    within('containers.conf'),
    `[containers]\ndefault_ulimits = ["nofile=8192:8192", "nproc=8192:8192"]
[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"
[network]\nnetwork_backend = "netavark"\nnetwork_config_dir = "${within('networks')}"\n`,
  );
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  fs.writeFileSync(within('.env'), lines.join(''));
  const composeFile = within('compose.yaml');
  const compose = fs.readFileSync(path.join(ROOT, 'compose.yaml'), 'utf8');
  fs.writeFileSync(composeFile, compose.replace('context: .', `context: ${ROOT}`));
  const env = {
    ...process.env,
    CONTAINERS_STORAGE_CONF: within('storage.conf'),
    CONTAINERS_CONF: within('containers.conf'),
    TMPDIR: within('tmp'),
    BUILDAH_ISOLATION: 'chroot',
    // The other image format has no HEALTHCHECK.
    BUILDAH_FORMAT: 'docker',
  };
  const ask = async (args: string[], input = '') => runProgram('podman', args, { env, input });
  return {
    folder,
    ask,
    run: async (...args) => succeeded(await ask(args), args),
    compose: async (...args) => {
      const words = ['-p', PROJECT, '-f', composeFile, ...args];
      return succeeded(await runProgram('podman-compose', words, { env, cwd: folder }), words);
    },
    close: async () => {
      await ask(['rm', '--all', '--force', '--time', '0']);
      await ask(['volume', 'rm', '--all', '--force']);
      await ask(['network', 'rm', '--force', `${PROJECT}_default`]);
      await ask(['rmi', '--all', '--force']);
      await runProgram('umount', [within('graph/overlay')], {});
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs a program to its end. */
export async function runProgram(
  program: string,
  args: string[],
  { input = '', ...options }: { env?: NodeJS.ProcessEnv; cwd?: string; input?: string },
): Promise<Outcome> {
  const child = spawn(program, args, { ...options, stdio: 'pipe' });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  child.stdin.on('error', () => undefined).end(input);
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

/** @returns its standard output, without the line end. @throws Error when it failed */
export function succeeded({ code, stdout, stderr }: Outcome, args: string[]): string {
  if (code === 0) return stdout.trim();
  throw new Error(
    `${args.join(' ')} ended with ${code}:\n${stdout.slice(-4000)}\n${stderr.slice(-4000)}`,
  );
}
