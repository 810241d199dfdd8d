import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';

import { freePort } from '../../server/testing/process.ts';
import { findPostgresPrograms } from '../../server/testing/programs.ts';
import { until } from '../../server/testing/until.ts';
import { openPrograms, readSettings, type Programs, type Settings } from '../programs.ts';

const NAMES = ['pg1', 'pg2', 'pg3'] as const;
/** The addresses in the files for operators: pg1 has 10.0.0.11, pg2 10.0.0.12 … */
const ADDRESS = /10\.0\.0\.1(\d):(\d+)/g;
const OWN_ADDRESS = '10.0.0.11';
/** Time to start three servers on a busy machine (milliseconds). */
const START_WITHIN = 120_000;

type NodeName = (typeof NAMES)[number];

/** A machine with PostgreSQL and Patroni. */
export interface PatroniNode {
  readonly name: NodeName;
  /** The port of PostgreSQL itself, bypassing HAProxy. */
  readonly port: number;
  /** Sends a signal to Patroni alone; PostgreSQL keeps running. */
  signalPatroni(signal: NodeJS.Signals): void;
  /** Ends PostgreSQL's main process as `kill -9` does. */
  killPostgres(): void;
  /** Ends Patroni and PostgreSQL at once, as a power cut would. */
  turnOff(): Promise<void>;
  turnOn(): void;
}

/** Three machines, etcd and HAProxy, configured by the files for operators. */
export interface PatroniCluster {
  readonly nodes: readonly PatroniNode[];
  readonly superuser: Settings;
  /** HAProxy's port for the primary. */
  readonly port: number;
  /** The members with their roles, as Patroni reports them; empty while it does not answer. */
  members(): Promise<Member[]>;
  /** Waits until there is one primary with two standbys, one of them synchronous. */
  untilWhole(): Promise<PatroniNode>;
  close(): Promise<void>;
}

export interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** Starts them all and waits until the cluster is complete. */
export async function startPatroni(): Promise<PatroniCluster> {
  const programs = openPrograms();
  const ports = await portsOf();
  const nodes = NAMES.map((name, index) => nodeOf(programs, ports, name, index + 1));
  programs.start('etcd', ['etcd'], settingsOf('etcd.env', 1, programs.folder, ports));
  for (const node of nodes) node.turnOn();
  const settings = settingsOf('haproxy.env', 1, programs.folder, ports);
  const [, port = ''] = (settings['DATABASE_LISTEN'] ?? '').split(':');
  const checked = NAMES.map((_, index) => [`PG${index + 1}_PATRONI_PORT`, ports(index + 1, 8008)]);
  programs.start('haproxy', ['haproxy', '-db', '-f', fileOf('haproxy.cfg')], {
    ...settings,
    ...(Object.fromEntries(checked) as Settings),
  });
  const members = async () => membersBy(NAMES.map((_, index) => ports(index + 1, 8008)));
  const untilWhole = async () => {
    const whole = await until(members, isWhole, START_WITHIN);
    const leader = nodes.find(({ name }) => name === whole.find(isLeader)?.name);
    if (!leader) throw new Error('Nobody leads');
    return leader;
  };
  await untilWhole();
  return {
    nodes,
    superuser: settingsOf('patroni.env', 1, programs.folder, ports),
    port: Number(port),
    members,
    untilWhole,
    close: async () => programs.close(),
  };
}

function isLeader({ role }: Member): boolean {
  return role === 'leader';
}

function isWhole(members: readonly Member[]): boolean {
  const roles = members.map(({ role, state }) => `${role} ${state}`).toSorted();
  return (
    roles.length === NAMES.length &&
    roles.filter((role) => /^leader running$/.test(role)).length === 1 &&
    roles.filter((role) => /^sync_standby (running|streaming)$/.test(role)).length === 1 &&
    roles.filter((role) => /^replica (running|streaming)$/.test(role)).length === 1
  );
}

async function membersBy(ports: readonly string[]): Promise<Member[]> {
  for (const port of ports) {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/cluster`, {
        signal: AbortSignal.timeout(1000),
      });
      return ((await answer.json()) as { members: Member[] }).members;
    } catch {
      // It is off or hangs; another member also knows.
    }
  }
  return [];
}

function nodeOf(programs: Programs, ports: Ports, name: NodeName, number: number): PatroniNode {
  const settings = settingsOf('patroni.env', number, programs.folder, ports);
  const data = settings['PATRONI_POSTGRESQL_DATA_DIR'] ?? '';
  let patroni: ChildProcess | undefined;
  const postmaster = () =>
    fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')[0];
  return {
    name,
    port: Number(ports(number, 5432)),
    signalPatroni: (signal) => patroni?.kill(signal),
    killPostgres: () => process.kill(Number(postmaster()), 'SIGKILL'),
    turnOff: async () => {
      const children = spawnSync('pgrep', ['-P', postmaster() ?? ''], { encoding: 'utf8' }).stdout;
      const pids = [postmaster() ?? '', ...children.split('\n').filter(Boolean)];
      const ended = patroni && once(patroni, 'exit');
      patroni?.kill('SIGKILL');
      spawnSync('kill', ['-KILL', ...pids]);
      await ended;
    },
    turnOn: () => {
      makeFolders(path.dirname(data), programs.folder);
      patroni = programs.start(name, ['patroni', fileOf('patroni.yml')], settings);
    },
  };
}

/** Makes folders below another, with its owner. */
function makeFolders(folder: string, top: string): void {
  if (fs.existsSync(folder)) return;
  makeFolders(path.dirname(folder), top);
  fs.mkdirSync(folder);
  const { uid, gid } = fs.statSync(top);
  fs.chownSync(folder, uid, gid);
}

/** The loopback port that stands for a port of a machine: `ports(2, 5432)`. */
type Ports = (machine: number, port: number) => string;

async function portsOf(): Promise<Ports> {
  const known = new Map<string, string>();
  for (const machine of [1, 2, 3]) {
    for (const port of [5432, 8008, 2379, 2380]) {
      known.set(`${machine} ${port}`, String(await freePort()));
    }
  }
  known.set('0 5000', String(await freePort()));
  return (machine, port) => known.get(`${machine} ${port}`) ?? '';
}

/**
 * The settings of a machine, from the file for operators of pg1, with its own name, folders below `folder` and
 * loopback ports. All machines share one etcd.
 */
function settingsOf(file: string, machine: number, folder: string, ports: Ports): Settings {
  const bin = path.dirname(findPostgresPrograms()?.pgCtl ?? '');
  const entries = Object.entries(readSettings(fileOf(file))).map(([name, value]) => {
    const [first = ''] = value.split(',');
    const own = value.includes(',') ? first : first.replace(OWN_ADDRESS, `10.0.0.1${machine}`);
    const here = own
      .replace(/^pg1$/, `pg${machine}`)
      .replace('127.0.0.1:5000', `127.0.0.1:${ports(0, 5000)}`)
      .replace(
        ADDRESS,
        (_, number: string, port: string) => `127.0.0.1:${ports(Number(number), Number(port))}`,
      )
      .replace('/var/lib/', `${folder}/pg${machine}/`)
      .replace('/usr/lib/postgresql/15/bin', bin);
    return [name, here];
  });
  return Object.fromEntries(entries) as Settings;
}

function fileOf(name: string): string {
  return path.join(import.meta.dirname, name);
}
