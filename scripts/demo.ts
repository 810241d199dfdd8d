// npm run demo: a year of a small company's life to look at, in a folder of its own. Nothing of it leaves
// this machine: it listens on loopback alone, and mails are written to the folder.

import path from 'node:path';
import { parseArgs } from 'node:util';

import { createApp, createLog, WEB_FOLDER, type App } from '../server/app.ts';
import { readConfig, type Config } from '../server/config.ts';
import { makeChallenge } from '../server/session/login.service.ts';
import { explainStartFailure } from '../server/start-failure.ts';
import { DEMO_EMAIL } from './demo/company.ts';
import { deleteDemo, makeDemo } from './demo/make-demo.ts';

const HOST = '127.0.0.1';
/** Another than the product's own, so that both can run. */
const PORT = '3100';
/** Opening it logs in. */
const LOGIN_PATH = '/demo/';
const WEEKS = '52';
/** What is not of the demo, and would send something out or open other data. */
const UNUSED = new Set([
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DOCUMENT_STORE',
  'SMTP_URL',
  'ACCESS_POINT',
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
  let told = false;
  await makeDemo(folder, {
    weeks: Number(values.weeks),
    onMonth: (month) => {
      process.stdout.write(told ? ` ${month}` : `Making a year of a company's life: ${month}`);
      told = true;
    },
  });
  if (told) process.stdout.write('\n');
  await start(readConfig(settings()));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

async function start(config: Config): Promise<void> {
  try {
    await serve(config);
  } catch (error) {
    const explanation = explainStartFailure(error, config);
    throw explanation === null ? error : new Error(explanation, { cause: error });
  }
}

/** What the operator's own settings say, but for where data, mails and callers are. */
function settings(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !UNUSED.has(name));
  const { FEATURES = 'all', PORT: port = PORT, LOG_LEVEL = 'warn' } = process.env;
  // Another name than localhost, so that its session is not that of a Faktur of one's own.
  const where = { HOST, PORT: port, PUBLIC_URL: `http://${HOST}:${port}`, DATA_DIR: folder };
  return { ...Object.fromEntries(own), FEATURES, LOG_LEVEL, ...where };
}

async function serve(read: Config): Promise<void> {
  const app = await createApp({ config: read, log: createLog(read), webFolder: WEB_FOLDER });
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
