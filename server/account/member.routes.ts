import type { FastifyInstance } from 'fastify';

import {
  acceptInvitation,
  chooseCompany,
  createCompany,
  inviteMember,
  listMembers,
  readInvitation,
  removeMember,
  updateMember,
} from '../../domain/member/member.endpoints.ts';
import type { Context } from '../context.ts';
import { accountRoute, publicRoute, route } from '../platform/http/route.ts';
import { findCallerOf, loginFrom, sessionToken, setSessionCookie } from './callers.ts';
import * as members from './member.service.ts';

/** The members of a company, the links that they share, invitations, and the choice of a company. */
export function memberRoutes(app: FastifyInstance, context: Context, above: members.Above): void {
  const { links } = above;
  route(app, listMembers, async ({ actor }) => members.listMembers(context, actor, links));
  route(app, inviteMember, async ({ actor, body }) =>
    members.inviteMember(context, actor, body, above),
  );
  route(app, updateMember, async ({ actor, params, body }) =>
    members.updateMember(context, actor, params.uuid, body, links),
  );
  route(app, removeMember, async ({ actor, params, query }) =>
    members.removeMember(context, actor, { ...params, ...query }, links),
  );
  publicRoute(app, readInvitation, async ({ body }, { request }) =>
    members.readInvitation(context, body.token, request.ip),
  );
  publicRoute(app, acceptInvitation, async ({ body }, { request, reply }) => {
    const caller = await findCallerOf(request, reply, context);
    const { token, session } = await members.acceptInvitation(
      context,
      body.token,
      caller,
      loginFrom(request),
    );
    setSessionCookie(reply, token, context);
    return session;
  });
  accountRoute(app, createCompany, async ({ caller }, { request }) =>
    members.createCompany(context, caller, sessionToken(request)),
  );
  accountRoute(app, chooseCompany, async ({ caller, body }, { request }) =>
    members.chooseCompany(context, caller, sessionToken(request), body.companyUuid),
  );
}
