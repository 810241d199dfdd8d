import type { FastifyInstance } from 'fastify';

import {
  deleteKidAgreement,
  getKidAgreement,
  getProfile,
  saveKidAgreement,
  updateProfile,
} from '../../domain/profile/profile.endpoints.ts';
import type { Context } from '../context.ts';
import { route } from '../http/route.ts';
import * as agreements from './kid-agreement.service.ts';
import * as profiles from './profile.service.ts';

/** The company's own page, and what it has agreed on with its bank. */
export function profileRoutes(app: FastifyInstance, context: Context): void {
  route(app, getProfile, async ({ actor }) => profiles.getProfile(context, actor));
  route(app, updateProfile, async ({ actor, body }) =>
    profiles.updateProfile(context, actor, body),
  );
  route(app, getKidAgreement, async ({ actor }) => agreements.getKidAgreement(context, actor));
  route(app, saveKidAgreement, async ({ actor, body }) =>
    agreements.saveKidAgreement(context, actor, body),
  );
  route(app, deleteKidAgreement, async ({ actor }) => agreements.endKidAgreement(context, actor));
}
