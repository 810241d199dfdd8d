import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A line to a port of 127.0.0.1 on which everything takes so much longer each way. */
export interface DelayingProxy extends AsyncDisposable {
  readonly port: number;
  /** Milliseconds each way, from the next byte on. */
  delay: number;
}

/** Listens on 127.0.0.1. Nothing is delayed until it is told to. */
export async function startDelayingProxy(target: number): Promise<DelayingProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('error', () => from.destroy());
      from.on('close', () => to.destroy());
      passOn(from, to, proxy);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: DelayingProxy = {
    port: (server.address() as AddressInfo).port,
    delay: 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

/** Each piece on its own way, in the order in which they came. */
function passOn(from: Socket, to: Socket, proxy: DelayingProxy): void {
  let before = Promise.resolve();
  from.on('data', (bytes) => {
    const arrived = proxy.delay > 0 ? sleep(proxy.delay) : undefined;
    before = Promise.all([before, arrived]).then(() => void to.write(bytes));
  });
}
