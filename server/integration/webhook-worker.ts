import { setTimeout as sleep } from 'node:timers/promises';

import type { Context } from '../context.ts';
import type { WebhookClient } from './webhook-client.ts';
import { makeMessages } from './webhook-message.service.ts';
import { findDue, sendNext } from './webhook-sending.service.ts';
import type { DueWebhook } from './webhook-sending.repository.ts';

/** Longest delay of a message (milliseconds). */
const INTERVAL = 1000;
/** Messages under way in one process. */
const MOST_LANES = 50;
/** Those of them that may be for webhooks that fail, so that these delay no other. */
const MOST_FAILING = 25;
/** Messages to one webhook at a time, in all processes. */
const MOST_FOR_ONE = 2;
/** After this time a webhook with many messages lets others have its place (milliseconds). */
const TURN = 5000;

export interface WebhookWorker {
  /** Takes no more messages, and waits for those under way. */
  stop(): Promise<void>;
}

/**
 * Makes messages of events, and sends them. It is not a queue of jobs: each message has waits of its own, and a webhook
 * that hangs holds two places of fifty.
 */
export function startWebhooks(context: Context, client: WebhookClient): WebhookWorker {
  const stopping = new AbortController();
  const { signal } = stopping;
  const lanes = new Lanes(async (webhook) => sendTurn(context, client, webhook, signal));
  const look = async () => {
    await makeMessages(context, signal);
    for (const webhook of await findDue(context)) lanes.open(webhook);
  };
  const work = async () => {
    while (!signal.aborted) {
      try {
        await look();
      } catch (error) {
        context.log.error({ err: error }, 'webhooks');
      }
      await sleep(INTERVAL, undefined, { signal }).catch(() => undefined);
    }
  };
  const working = work();
  return {
    async stop() {
      stopping.abort();
      await working;
      await lanes.ended();
    },
  };
}

/** Sends what is due of a webhook, for as long as its turn lasts. */
async function sendTurn(
  context: Context,
  client: WebhookClient,
  webhook: DueWebhook,
  signal: AbortSignal,
): Promise<void> {
  const end = performance.now() + TURN;
  try {
    while (!signal.aborted && performance.now() < end) {
      if (!(await sendNext(context, client, webhook))) return;
    }
  } catch (error) {
    context.log.error({ err: error }, 'webhooks');
  }
}

/** The messages under way, by webhook. */
class Lanes {
  readonly #run: (webhook: DueWebhook) => Promise<void>;
  readonly #running = new Map<Promise<void>, DueWebhook>();

  constructor(run: (webhook: DueWebhook) => Promise<void>) {
    this.#run = run;
  }

  /** Gives a webhook its places, as far as there are some. */
  open(webhook: DueWebhook): void {
    const { webhookId, isFailing } = webhook;
    for (;;) {
      const running = [...this.#running.values()];
      const own = running.filter((one) => one.webhookId === webhookId).length;
      const failing = running.filter((one) => one.isFailing).length;
      const isFull = running.length >= MOST_LANES || (isFailing && failing >= MOST_FAILING);
      if (isFull || own >= MOST_FOR_ONE) return;
      const lane = this.#run(webhook).finally(() => this.#running.delete(lane));
      this.#running.set(lane, webhook);
    }
  }

  /** Waits until none is under way. */
  async ended(): Promise<void> {
    await Promise.all(this.#running.keys());
  }
}
