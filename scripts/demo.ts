// npm run demo: makes a year of a small company's data in a folder of its own and serves it. It sends nothing out: it
// listens on loopback only, and mails are written to the folder.

import path from 'node:path';
import { parseArgs } from 'node:util';

import { createApp, WEB_FOLDER, type App } from '../server/app.ts';
import { createLog } from '../server/platform/log/log.ts';
import { readConfig, type Config } from '../server/config.ts';
import { makeChallenge } from '../server/account/login.service.ts';
import { explainStartFailure } from '../server/operator/start-failure.ts';
import { DEMO_EMAIL } from './demo/company.ts';
import { deleteDemo, makeDemo } from './demo/make-demo.ts';
import { openDemoNetwork, type DemoNetwork } from './demo/network.ts';

const HOST = '127.0.0.1';
/** Not the product's own port, so that both can run. */
const PORT = '3100';
/** Opening this page logs in. */
const LOGIN_PATH = '/demo/';
const WEEKS = '52';
/** Settings that the demo ignores: they would send something out or open other data. */
const UNUSED = new Set([
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DOCUMENT_STORE',
  'SMTP_URL',
  'ACCESS_POINT',
  'ACCESS_POINT_URL',
  'ACCESS_POINT_TOKEN',
  'PEPPOL_NETWORK',
  'PEPPOL_SML_ZONE',
  'PEPPOL_DNS',
  'PEPPOL_SMP',
  'SENTRY_DSN',
  'ROLE',
  'TRUST_PROXY',
]);

const { values } = parseArgs({
  options: {
    fresh: { type: 'boolean', default: false },
    folder: { type: 'string', default: path.resolve(import.meta.dirname, '..', 'demo-data') },
    weeks: { type: 'string', default: WEEKS },
  },
});
const folder = path.resolve(values.folder);

try {
  if (values.fresh) deleteDemo(folder);
  let hasStarted = false;
  await makeDemo(folder, {
    weeks: Number(values.weeks),
    onMonth: (month) => {
      process.stdout.write(
        hasStarted ? ` ${month}` : `Making a year of a company's life: ${month}`,
      );
      hasStarted = true;
    },
  });
  if (hasStarted) process.stdout.write('\n');
  const network = await openDemoNetwork();
  await start(readConfig(settings(network)), network);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

async function start(config: Config, network: DemoNetwork): Promise<void> {
  try {
    await serve(config, network);
  } catch (error) {
    const explanation = explainStartFailure(error, config);
    throw explanation === null ? error : new Error(explanation, { cause: error });
  }
}

/** The operator's own settings, except where data, mails and callers are. */
function settings(network: DemoNetwork): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !UNUSED.has(name));
  const { FEATURES = 'all', PORT: port = PORT, LOG_LEVEL = 'warn' } = process.env;
  // Not localhost: cookies ignore ports, so the demo would share the session of a local Faktur.
  const where = { HOST, PORT: port, PUBLIC_URL: `http://${HOST}:${port}`, DATA_DIR: folder };
  // EHF has no name in FEATURES.
  const ehf = /\b(?:all|einvoice)\b/.test(FEATURES) ? network.settings : {};
  return { ...Object.fromEntries(own), ...ehf, FEATURES, LOG_LEVEL, ...where };
}

async function serve(read: Config, { wire }: DemoNetwork): Promise<void> {
  const app = await createApp({
    config: read,
    log: createLog(read),
    webFolder: WEB_FOLDER,
    peppolWire: wire,
  });
  app.http.get(LOGIN_PATH, async (_, reply) => {
    const challenge = await makeChallenge(app.context, 'login', DEMO_EMAIL);
    return reply.redirect(`/auth/magic-link/?token=${challenge?.token}`);
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(app));
  await app.listen();
  process.stdout.write(`
Open ${read.publicUrl}${LOGIN_PATH}
It logs you in, as often as you like. Mails are written to ${path.join(folder, 'outbox')}, and none is sent.
FEATURES= npm run demo shows it with nothing turned on; npm run demo -- --fresh begins anew.
`);
}

async function stop(app: App): Promise<void> {
  await app.close();
  process.exit(0);
}
