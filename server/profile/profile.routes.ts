import type { FastifyInstance } from 'fastify';

import {
  deleteKidAgreement,
  getKidAgreement,
  getProfile,
  getReminderSettings,
  saveKidAgreement,
  saveReminderSettings,
  updateProfile,
} from '../../domain/profile/profile.endpoints.ts';
import type { Context } from '../context.ts';
import { route } from '../http/route.ts';
import * as agreements from './kid-agreement.service.ts';
import * as profiles from './profile.service.ts';
import * as reminders from './reminder-settings.service.ts';

/** The company's own page, what it has agreed on with its bank, and how it reminds. */
export function profileRoutes(app: FastifyInstance, context: Context): void {
  route(app, getProfile, async ({ actor }) => profiles.getProfile(context, actor));
  route(app, updateProfile, async ({ actor, body }) =>
    profiles.updateProfile(context, actor, body),
  );
  route(app, getKidAgreement, async ({ actor }) => agreements.getKidAgreement(context, actor));
  route(app, saveKidAgreement, async ({ actor, body }) =>
    agreements.saveKidAgreement(context, actor, body),
  );
  route(app, getReminderSettings, async ({ actor }) =>
    reminders.getReminderSettings(context, actor),
  );
  route(app, saveReminderSettings, async ({ actor, body }) =>
    reminders.saveReminderSettings(context, actor, body),
  );
  route(app, deleteKidAgreement, async ({ actor }) => agreements.endKidAgreement(context, actor));
}
