import type { FastifyInstance } from 'fastify';

import { reportBounce, reportComplaint } from '../../../../domain/delivery/delivery.endpoints.ts';
import type { Context } from '../../../context.ts';
import { publicRoute } from '../../../platform/http/route.ts';
import { createNoticeReceiver } from './email-notice.service.ts';

/** Takes bounces and complaints. */
export function emailRoutes(app: FastifyInstance, context: Context): void {
  const receive = createNoticeReceiver(context);
  for (const endpoint of [reportBounce, reportComplaint]) {
    publicRoute(app, endpoint, async ({ body }) => {
      await receive(body);
      return undefined;
    });
  }
}
