import type { FastifyInstance } from 'fastify';

import { getEhfAgreement, requestEhfAgreement } from '../../../../domain/ehf/ehf.endpoints.ts';
import type { Context } from '../../../context.ts';
import { route } from '../../../platform/http/route.ts';
import { getAgreement, requestAgreement } from './ehf-agreement.service.ts';

/** Being allowed to send EHF. */
export function ehfAgreementRoutes(app: FastifyInstance, context: Context): void {
  route(app, getEhfAgreement, async ({ actor }) => getAgreement(context, actor));
  route(app, requestEhfAgreement, async ({ actor }) => requestAgreement(context, actor));
}
