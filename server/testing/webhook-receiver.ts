import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { until } from './until.ts';

/** A message as it came. */
interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly path: string;
}

/** The address of somebody who takes webhooks, on the loopback. */
export interface WebhookReceiver {
  /** `host:port`, for WEBHOOK_HOSTS. */
  readonly host: string;
  readonly url: string;
  readonly received: Received[];
  /** Which messages are kept; all until this is set. Others are answered with 204. */
  keeps: (message: Received) => boolean;
  /** How it answers from now on; 204 until this is set. */
  answer: (response: ServerResponse, message: Received) => void;
  /** Waits for so many messages in all. */
  waitFor(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** Starts a receiver on a port of its own, or on this one. */
export async function startWebhookReceiver(port = 0): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers, url = '' } = request;
      const message = { headers, body: Buffer.concat(chunks).toString(), path: url };
      if (!receiver.keeps(message)) {
        response.writeHead(204).end();
        return;
      }
      received.push(message);
      receiver.answer(response, message);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver: WebhookReceiver = {
    host,
    url: `http://${host}/hook`,
    received,
    keeps: () => true,
    answer: (response) => response.writeHead(204).end(),
    waitFor: async (count) =>
      until(
        () => received,
        ({ length }) => length >= count,
      ),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
