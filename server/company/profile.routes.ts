import type { FastifyInstance } from 'fastify';

import {
  deleteLogo,
  getLogo,
  getProfile,
  saveLogo,
  updateProfile,
} from '../../domain/profile/profile.endpoints.ts';
import {
  deleteKidAgreement,
  getKidAgreement,
  getPortalSettings,
  getReminderSettings,
  saveKidAgreement,
  savePortalSettings,
  saveReminderSettings,
} from '../../domain/profile/settings.endpoints.ts';
import type { Context } from '../context.ts';
import { route } from '../platform/http/route.ts';
import { wholeUploadOf } from '../platform/http/bodies.ts';
import { createPictureMaker } from '../platform/pictures/picture-maker.ts';
import * as logos from './logo.service.ts';
import * as portal from './portal-settings.service.ts';
import * as profiles from './profile.service.ts';
import * as reminders from './reminder-settings.service.ts';

/** The company's own page, what it has agreed on with its bank, how it reminds, and the pages of its customers. */
export function profileRoutes(app: FastifyInstance, context: Context): void {
  route(app, getProfile, async ({ actor }) => profiles.getProfile(context, actor));
  route(app, updateProfile, async ({ actor, body }) =>
    profiles.updateProfile(context, actor, body),
  );
  logoRoutes(app, context);
  route(app, getKidAgreement, async ({ actor }) =>
    profiles.findKidAgreement(context.db, actor.companyId),
  );
  route(app, saveKidAgreement, async ({ actor, body }) =>
    profiles.saveKidAgreement(context, actor, body),
  );
  route(app, getReminderSettings, async ({ actor }) =>
    reminders.getReminderSettings(context, actor),
  );
  route(app, saveReminderSettings, async ({ actor, body }) =>
    reminders.saveReminderSettings(context, actor, body),
  );
  route(app, getPortalSettings, async ({ actor }) => portal.getPortalSettings(context, actor));
  route(app, savePortalSettings, async ({ actor, body }) =>
    portal.savePortalSettings(context, actor, body),
  );
  route(app, deleteKidAgreement, async ({ actor }) => profiles.endKidAgreement(context, actor));
}

/** A logo as bytes. A browser that has it asks whether it is still the one. */
function logoRoutes(app: FastifyInstance, context: Context): void {
  const maker = createPictureMaker('logo', context);
  route(app, getLogo, async ({ actor }, { reply }) => {
    const logo = await logos.getLogo(context, actor);
    if (!logo) return null;
    reply.headers({ etag: logo.etag, 'cache-control': 'private, no-cache' });
    return logo.content;
  });
  route(app, saveLogo, async ({ actor }, { request, reply }) =>
    logos.saveLogo(context, maker, actor, await wholeUploadOf(request, reply)),
  );
  route(app, deleteLogo, async ({ actor }) => {
    await logos.deleteLogo(context, actor);
    return undefined;
  });
}
