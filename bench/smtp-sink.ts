import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import readline from 'node:readline';

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

const END = Buffer.from('\r\n.\r\n');

let mails = 0;

function serve(socket: net.Socket): void {
  let rest: Buffer = Buffer.alloc(0);
  let isInMail = false;
  socket.on('error', () => undefined);
  socket.write('220 sink ESMTP\r\n');
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const end = rest.indexOf(isInMail ? END : '\r\n');
      if (end < 0) {
        // Only the end mark of a mail matters; it may be cut in two.
        if (isInMail) rest = rest.subarray(Math.max(0, rest.length - END.length));
        return;
      }
      const line = isInMail ? '' : rest.subarray(0, end).toString('latin1');
      rest = rest.subarray(end + (isInMail ? END.length : 2));
      if (isInMail) {
        mails += 1;
        isInMail = false;
        socket.write('250 2.0.0 Ok\r\n');
      } else {
        isInMail = answer(socket, line);
      }
    }
  });
}

function answer(socket: net.Socket, line: string): boolean {
  const command = line.slice(0, 4).toUpperCase();
  if (command === 'QUIT') socket.end('221 Bye\r\n');
  else if (command === 'DATA') socket.write('354 Go on\r\n');
  else if (command === 'EHLO') socket.write('250-sink\r\n250 8BITMIME\r\n');
  else socket.write('250 Ok\r\n');
  return command === 'DATA';
}

function listen(): void {
  const server = net.createServer(serve);
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`${(server.address() as net.AddressInfo).port}\n`);
  });
  readline.createInterface({ input: process.stdin }).on('line', () => {
    process.stdout.write(`${mails}\n`);
  });
  process.stdin.on('end', () => process.exit());
}

if (import.meta.main) listen();
