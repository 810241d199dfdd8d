import type { FastifyInstance } from 'fastify';

import {
  createExport,
  deleteExport,
  getExport,
  getExportFile,
  getExportSettings,
  listExports,
  saveExportSettings,
} from '../../domain/export/export.endpoints.ts';
import type { Context } from '../context.ts';
import { fileHeader } from '../document/serve-pdf.ts';
import { route } from '../platform/http/route.ts';
import { Streamed } from '../platform/http/streamed.ts';
import { fileOf } from './export-formats.ts';
import * as settings from './export-settings.service.ts';
import * as exports from './export.service.ts';

/** Exports, their files, and the settings that they are made with. */
export function exportRoutes(app: FastifyInstance, context: Context): void {
  route(app, listExports, async ({ actor }) => exports.listExports(context, actor));
  route(app, createExport, async ({ actor, query, body }) => {
    const call = query.dryRun ? exports.tryExport : exports.createExport;
    return call(context, actor, body);
  });
  route(app, getExport, async ({ actor, params }) =>
    exports.getExport(context, actor, params.uuid),
  );
  route(app, getExportFile, async ({ actor, params }, { reply }) => {
    const { row, chunks } = await exports.getExportFile(context, actor, params.uuid);
    const { name, mediaType } = fileOf(row);
    reply.type(mediaType).header('content-disposition', fileHeader('attachment', name));
    return new Streamed<Uint8Array>(chunks);
  });
  route(app, deleteExport, async ({ actor, params }) =>
    exports.deleteExport(context, actor, params.uuid),
  );
  route(app, getExportSettings, async ({ actor }) => settings.getExportSettings(context, actor));
  route(app, saveExportSettings, async ({ actor, body }) =>
    settings.saveExportSettings(context, actor, body),
  );
}
