import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

import { createApp, WEB_FOLDER, type App } from './app.ts';
import { createLog } from './platform/log/log.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { explainStartFailure } from './operator/start-failure.ts';

/** How long stopping may take, beyond the mails in progress (milliseconds). */
const DRAIN_MARGIN = 30_000;

async function main(): Promise<void> {
  const config = loadConfig();
  if (!config) return;
  try {
    await run(config);
  } catch (error) {
    const explanation = explainStartFailure(error, config);
    if (explanation === null) throw error;
    process.stderr.write(`${explanation}\n`);
    // Started work is left as after a power cut, which it must survive anyway.
    process.exit(1);
  }
}

async function run(config: Config): Promise<void> {
  if (config.databaseUrl === null) saveMemory();
  const log = createLog(config);
  const app = await createApp({ config, log, webFolder: builtWebApp() });
  stopOnSignal(app, config.smtpTimeout + DRAIN_MARGIN);
  const port = await app.listen();
  log.info({ role: config.role, port }, `Faktur is running on http://${config.host}:${port}`);
  // For the user at the terminal; the log on standard output is for machines.
  const name = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(config.host)
    ? 'localhost'
    : config.host;
  process.stderr.write(`\nFaktur kjører på http://${name}:${port}\n\n`);
}

/** The built web app; null before `npm start` has built it, and then only the API is served. */
function builtWebApp(): string | null {
  return existsSync(join(WEB_FOLDER, 'index.html')) ? WEB_FOLDER : null;
}

/**
 * Collects garbage sooner, because the embedded database shares our memory: the process uses a third less and is
 * hardly slower (decision 9).
 */
function saveMemory(): void {
  setFlagsFromString('--optimize-for-size');
}

function loadConfig(): Config | null {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
    return null;
  }
}

/** Finishes requests and jobs, then exits with 0; after `drainTimeout` milliseconds exits with 1. */
function stopOnSignal(app: App, drainTimeout: number): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    app.context.log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), drainTimeout).unref();
    void app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        app.context.log.error({ err: error }, 'could not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

await main();
