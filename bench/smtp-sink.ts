import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import readline from 'node:readline';

import { SMTPServer } from 'smtp-server';

import type { Harness } from './harness.ts';

/**
 * A mail server that accepts everything and keeps nothing, in its own process so that it takes no time from its client.
 * It prints its port on the first line, and the number of its mails for each line that it receives.
 */
export interface Sink {
  readonly port: number;
  /** Mails so far. */
  count(): Promise<number>;
}

/** Starts one; it ends with the topic. */
export async function startSink(harness: Harness): Promise<Sink> {
  const child = spawn(process.execPath, [import.meta.filename], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = readline.createInterface({ input: child.stdout });
  const nextLine = async () => Number((await once(lines, 'line'))[0]);
  harness.defer(() => {
    child.stdin.end();
  });
  return {
    port: await nextLine(),
    count: async () => {
      const line = nextLine();
      child.stdin.write('\n');
      return line;
    },
  };
}

function listen(): void {
  let mails = 0;
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData(stream, _session, callback) {
      stream.resume();
      stream.once('end', () => {
        mails += 1;
        callback();
      });
    },
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`${(listening.address() as AddressInfo).port}\n`);
  });
  readline.createInterface({ input: process.stdin }).on('line', () => {
    process.stdout.write(`${mails}\n`);
  });
  process.stdin.on('end', () => process.exit());
}

if (import.meta.main) listen();
