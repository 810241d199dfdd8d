import type { FastifyInstance } from 'fastify';

import * as calls from '../../domain/integration/webhook.endpoints.ts';
import type { Context } from '../context.ts';
import { route } from '../platform/http/route.ts';
import type { WebhookClient } from './webhook-client.ts';
import * as log from './webhook-log.service.ts';
import * as webhooks from './webhook.service.ts';

/** The webhooks of a company, and their messages. */
export function webhookRoutes(app: FastifyInstance, context: Context, client: WebhookClient): void {
  route(app, calls.listWebhooks, async ({ actor }) => webhooks.listWebhooks(context, actor));
  route(app, calls.createWebhook, async ({ actor, body }) =>
    webhooks.createWebhook(context, actor, body, client),
  );
  route(app, calls.getWebhook, async ({ actor, params }) =>
    webhooks.getWebhook(context, actor, params.uuid),
  );
  route(app, calls.updateWebhook, async ({ actor, params, body }) =>
    webhooks.updateWebhook(context, actor, params.uuid, body, client),
  );
  route(app, calls.deleteWebhook, async ({ actor, params }) =>
    webhooks.deleteWebhook(context, actor, params.uuid),
  );
  route(app, calls.rotateWebhookSecret, async ({ actor, params }) =>
    webhooks.rotateSecret(context, actor, params.uuid),
  );
  route(app, calls.testWebhook, async ({ actor, params }) =>
    log.sendTest(context, actor, params.uuid),
  );
  route(app, calls.listWebhookDeliveries, async ({ actor, params, query }) =>
    log.listDeliveries(context, actor, params.uuid, query),
  );
  route(app, calls.getWebhookDelivery, async ({ actor, params }) =>
    log.getDelivery(context, actor, params.uuid, params.deliveryUuid),
  );
  route(app, calls.resendWebhookDelivery, async ({ actor, params }) =>
    log.resend(context, actor, params.uuid, params.deliveryUuid),
  );
}
