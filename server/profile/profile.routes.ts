import type { FastifyInstance } from 'fastify';

import { getProfile, updateProfile } from '../../domain/profile/profile.endpoints.ts';
import type { Context } from '../context.ts';
import { route } from '../http/route.ts';
import * as profiles from './profile.service.ts';

/** The company's own page. */
export function profileRoutes(app: FastifyInstance, context: Context): void {
  route(app, getProfile, async ({ actor }) => profiles.getProfile(context, actor));
  route(app, updateProfile, async ({ actor, body }) =>
    profiles.updateProfile(context, actor, body),
  );
}
