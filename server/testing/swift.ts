import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';

import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';

import { freePort } from './process.ts';
import { SWIFT_PROGRAMS } from './programs.ts';
import { eventually } from './until.ts';

/** An OpenStack Swift that speaks S3, with all its daemons, for the tests that need a real store. */
export interface Swift {
  readonly port: number;
  /** Settings of the product that use a new bucket. */
  newBucket(): Promise<BucketSettings>;
  /** Ends it and removes its files. Safe to call twice. */
  stop(): Promise<void>;
}

/** Environment variables. */
export type BucketSettings = Readonly<
  Record<'DOCUMENT_STORE' | 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY', string>
>;

const SERVICES = ['account', 'container', 'object'] as const;
const START_LIMIT = 60_000;
const credentials = { accessKeyId: 'faktur:tester', secretAccessKey: 'secret' };

// As in postgres-cluster.ts, a guard process ends the daemons when this process ends. The daemons leave its process
// group, so the guard keeps their ids.
const GUARD = `
  folder=$1 memcached=$2
  memcached -u "$USER" -l 127.0.0.1 -p "$memcached" -m 16 &
  all=$!
  # Debian's own, which knows Swift.
  /usr/bin/python3 "$folder/servers.py" &
  all="$all $!"
  cat > /dev/null
  kill -KILL $all
  rm -rf "$folder"
`;

/**
 * Starts Swift on free ports of 127.0.0.1, with one replica in a temporary folder. It ends with `stop()`,
 * or else with this process. @throws Error when it is missing or does not start, with its own words
 */
export async function startSwift(): Promise<Swift> {
  const missing = missingSwift();
  if (missing.length > 0) throw new Error(`Swift is missing: install ${missing.join(', ')}.`);
  const folder = mkdtempSync(join(tmpdir(), 'faktur-swift-'));
  const ports = {
    proxy: await freePort(),
    memcached: await freePort(),
    account: await freePort(),
    container: await freePort(),
    object: await freePort(),
  };
  writeSettings(folder, ports);
  const guard = spawn('/bin/sh', ['-c', GUARD, 'sh', folder, String(ports.memcached)], {
    cwd: '/',
    env: { ...process.env, USER: userInfo().username },
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  guard.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const ended = new Promise<void>((resolve) => guard.once('exit', () => resolve()));
  const stop = async () => {
    guard.stdin.end();
    await ended;
  };
  const endpoint = `http://127.0.0.1:${ports.proxy}`;
  try {
    await untilHealthy(endpoint, guard, said);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port: ports.proxy, newBucket: async () => makeBucket(endpoint), stop };
}

/** The Debian packages that are missing. */
function missingSwift(): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return Object.entries(SWIFT_PROGRAMS)
    .filter(([program]) => !folders.some((folder) => existsSync(join(folder, program))))
    .map(([, debianPackage]) => debianPackage);
}

type Ports = Readonly<Record<(typeof SERVICES)[number] | 'proxy' | 'memcached', number>>;

function writeSettings(folder: string, ports: Ports): void {
  mkdirSync(join(folder, 'devices', 'disk'), { recursive: true });
  writeFileSync(
    join(folder, 'swift.conf'),
    '[swift-hash]\nswift_hash_path_prefix = a\nswift_hash_path_suffix = b\n[storage-policy:0]\nname = one\ndefault = yes\n',
  );
  for (const name of SERVICES) {
    writeFileSync(
      join(folder, `${name}-server.conf`),
      `[DEFAULT]\n${common(folder, ports[name])}
devices = ${join(folder, 'devices')}
mount_check = false
fallocate_reserve = 0
[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
`,
    );
  }
  writeFileSync(
    join(folder, 'proxy-server.conf'),
    `[DEFAULT]\n${common(folder, ports.proxy)}
[pipeline:main]
pipeline = catch_errors healthcheck cache s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${ports.memcached}
[filter:tempauth]
use = egg:swift#tempauth
user_${credentials.accessKeyId.replace(':', '_')} = ${credentials.secretAccessKey} .admin
[filter:s3api]
use = egg:swift#s3api
allow_multipart_uploads = false
`,
  );
  writeFileSync(join(folder, 'servers.py'), serverScript(folder, ports));
}

function common(folder: string, port: number): string {
  const lines = {
    bind_ip: '127.0.0.1',
    bind_port: port,
    workers: 0,
    user: userInfo().username,
    swift_dir: folder,
    log_level: 'ERROR',
  };
  return Object.entries(lines)
    .map(([name, value]) => `${name} = ${value}`)
    .join('\n');
}

/**
 * One Python process that makes the rings and runs all servers. A process for each server would load Swift once more, for a
 * second of a processor.
 */
function serverScript(folder: string, ports: Ports): string {
  const rings = SERVICES.map(
    (name) => `
builder = RingBuilder(1, 1, 0)
builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1.0, 'ip': '127.0.0.1', 'port': ${ports[name]},
  'replication_ip': '127.0.0.1', 'replication_port': ${ports[name]}, 'device': 'disk', 'meta': ''})
builder.rebalance()
builder.get_ring().save('${folder}/${name}.ring.gz')`,
  );
  const servers = [...SERVICES, 'proxy' as const].map(
    (name) => `serve('${name}-server', ${ports[name]})`,
  );
  return `
import eventlet
from eventlet import wsgi
from swift.common import utils
utils.eventlet_monkey_patch()
utils.set_swift_dir('${folder}')
from swift.common.http_protocol import SwiftHttpProtocol
from swift.common.ring import RingBuilder
from swift.common.wsgi import loadapp
from swift.obj.server import global_conf_callback
${rings.join('\n')}

running = eventlet.GreenPool()
def serve(name, port):
    shared = {'log_name': name}
    global_conf_callback({}, shared)
    app = loadapp('${folder}/' + name + '.conf', global_conf=shared)
    # Header names as they are, because S3 has an "ETag".
    running.spawn(wsgi.server, eventlet.listen(('127.0.0.1', port)), app, utils.NullLogger(),
                  protocol=SwiftHttpProtocol, capitalize_response_headers=False)

${servers.join('\n')}
running.waitall()
`;
}

async function untilHealthy(
  endpoint: string,
  guard: ChildProcess,
  said: readonly string[],
): Promise<void> {
  const look = async () => {
    const answer = await fetch(`${endpoint}/healthcheck`).catch(() => null);
    if (guard.exitCode !== null) throw new Error(`Swift did not start: ${said.join('')}`);
    return answer?.ok || undefined;
  };
  await eventually(look, 'Swift', START_LIMIT);
}

let buckets = 0;

async function makeBucket(endpoint: string): Promise<BucketSettings> {
  const bucket = `faktur-${process.pid}-${++buckets}`;
  const client = new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true, credentials });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return {
    DOCUMENT_STORE: `s3://${bucket}?endpoint=${endpoint}`,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
}
