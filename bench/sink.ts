import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import readline from 'node:readline';

import type { Harness } from './harness.ts';

/** A mail server that keeps nothing, in its own process. */
export interface Sink {
  readonly port: number;
  /** Mails so far. */
  count(): Promise<number>;
}

/** Starts one; it ends with the topic. */
export async function startSink(harness: Harness): Promise<Sink> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'smtp-sink.ts')], {
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
