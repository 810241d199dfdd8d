import type { FastifyInstance } from 'fastify';
import { Readable } from 'node:stream';

import { EXPORT_DOWNLOAD } from '../../domain/export/export.schema.ts';
import type { Context } from '../context.ts';
import { fileHeader } from '../document/serve-pdf.ts';
import { beginLinkUse, EMPTY_POLICY, refuseAsPage } from '../platform/http/shared-link.ts';
import { fileOf } from './export-formats.ts';
import { openShared } from './shared-file.service.ts';

/**
 * The file of an export for whoever has its link (EXP-12). It reads no session and sets none. A link that is wrong,
 * ended or revoked gets one answer.
 */
export function sharedFileRoute(app: FastifyInstance, context: Context): void {
  app.route<{ Params: { token: string } }>({
    method: ['GET', 'HEAD'],
    url: '/delt/eksport/:token/',
    config: { feature: 'export', wholeAnswer: EXPORT_DOWNLOAD },
    errorHandler: refuseAsPage,
    handler: async (request, reply) => {
      await beginLinkUse(context, { request, reply }, EMPTY_POLICY);
      // A look at the headers makes no file.
      const shared = await openShared(context, request.params.token, request.method === 'GET');
      const { name, mediaType } = fileOf(shared.row);
      reply.type(mediaType).header('content-disposition', fileHeader('attachment', name));
      if (shared.chunks === null) return reply.send();
      return reply.send(Readable.from(shared.chunks, { objectMode: false }));
    },
  });
}
