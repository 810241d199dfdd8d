import type { FastifyInstance } from 'fastify';

import { getExportSettings, saveExportSettings } from '../../domain/export/export.endpoints.ts';
import type { Context } from '../context.ts';
import { route } from '../platform/http/route.ts';
import * as settings from './export-settings.service.ts';

/** The accounts that exports book on, and the accountant. */
export function exportSettingsRoutes(app: FastifyInstance, context: Context): void {
  route(app, getExportSettings, async ({ actor }) => settings.getExportSettings(context, actor));
  route(app, saveExportSettings, async ({ actor, body }) =>
    settings.saveExportSettings(context, actor, body),
  );
}
