import { once } from 'node:events';
import net from 'node:net';

/** A line to a server that can be cut. */
export interface CuttableProxy {
  readonly port: number;
  /** Cuts every connection, and refuses new ones until `mend`. */
  cut(): void;
  /**
   * Swallows every byte, of the connections there are for good and of new ones until `mend`, and
   * tells neither side when the other hangs up: so does a network that forgot a connection.
   */
  silence(): void;
  mend(): void;
  /** New connections go to this port of 127.0.0.1; those there are stay where they are. */
  pointTo(port: number): void;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1 and passes everything on to a port there. */
export async function startProxy(firstTarget: number): Promise<CuttableProxy> {
  const sockets = new Set<net.Socket>();
  const silenced = new WeakSet<net.Socket>();
  let target = firstTarget;
  let state: 'mended' | 'cut' | 'silent' = 'mended';
  const keep = (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = net.createServer((client) => {
    keep(client);
    if (state === 'cut') client.destroy();
    if (state === 'silent') client.resume();
    if (state !== 'mended') return;
    const upstream = net.connect(target, '127.0.0.1');
    keep(upstream);
    forward(client, upstream, silenced);
    forward(upstream, client, silenced);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as net.AddressInfo).port,
    cut: () => {
      state = 'cut';
      cutAll();
    },
    silence: () => {
      state = 'silent';
      for (const socket of sockets) swallow(socket, silenced);
    },
    mend: () => {
      state = 'mended';
    },
    pointTo: (port) => {
      target = port;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      cutAll();
      await closed;
    },
  };
}

function forward(from: net.Socket, to: net.Socket, silenced: WeakSet<net.Socket>): void {
  from.on('close', () => {
    if (!silenced.has(from)) to.destroy();
  });
  from.pipe(to);
}

function swallow(socket: net.Socket, silenced: WeakSet<net.Socket>): void {
  silenced.add(socket);
  socket.unpipe();
  socket.resume();
}
