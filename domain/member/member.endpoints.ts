import { z } from 'zod/mini';

import { defineEndpoint } from '../api/endpoint.ts';
import { session } from '../session/session.schema.ts';
import {
  companyChoice,
  invitation,
  invitationToken,
  member,
  memberForm,
  memberParams,
  memberUpdate,
  removalQuery,
} from './member.schema.ts';

export const listMembers = defineEndpoint({
  id: 'listMembers',
  method: 'GET',
  path: '/api/members/',
  summary: 'Members and open invitations: owners first, then by e-mail',
  permission: 'members',
  feature: 'members',
  response: z.array(member),
});

export const inviteMember = defineEndpoint({
  id: 'inviteMember',
  method: 'POST',
  path: '/api/members/',
  summary:
    'Mail an invitation that works once, for 14 days, and only for its address. ' +
    'Inviting an address again replaces its open invitation; that of a member is 409',
  permission: 'members',
  proof: true,
  feature: 'members',
  body: memberForm,
  response: member,
  status: 201,
  errors: [409, 429],
});

export const updateMember = defineEndpoint({
  id: 'updateMember',
  method: 'PUT',
  path: '/api/members/{uuid}/',
  summary: 'Change what a member, or an invitation, may do. The last owner stays an owner: 409',
  permission: 'members',
  proof: true,
  feature: 'members',
  params: memberParams,
  body: memberUpdate,
  response: member,
  errors: [404, 409],
});

export const removeMember = defineEndpoint({
  id: 'removeMember',
  method: 'DELETE',
  path: '/api/members/{uuid}/',
  summary:
    'Remove a member, or an invitation. Sessions and tokens for the company end at once, and so do ' +
    'the links that the member shared, unless keep_links is true. The last owner stays: 409',
  permission: 'members',
  proof: true,
  feature: 'members',
  params: memberParams,
  query: removalQuery,
  errors: [404, 409],
});

export const readInvitation = defineEndpoint({
  id: 'readInvitation',
  method: 'POST',
  path: '/api/members/invitation/',
  summary:
    'Who invites whom to what, by the token of the mailed link, which is not used up. ' +
    'A used, replaced, expired or unknown token is 404',
  access: 'public',
  feature: 'members',
  body: invitationToken,
  response: invitation,
  errors: [404, 429],
});

export const acceptInvitation = defineEndpoint({
  id: 'acceptInvitation',
  method: 'POST',
  path: '/api/members/accept/',
  summary:
    'Accept a mailed invitation and log in. A session of another address is 403; ' +
    'a used, replaced, expired or unknown token is 404',
  access: 'public',
  feature: 'members',
  body: invitationToken,
  response: session,
  setsSession: true,
  errors: [403, 404, 429],
});

export const chooseCompany = defineEndpoint({
  id: 'chooseCompany',
  method: 'POST',
  path: '/api/users/company/',
  summary: 'Go on with another company of the account, in this session',
  access: 'account',
  feature: 'members',
  body: companyChoice,
  response: session,
  errors: [404],
});

export const createCompany = defineEndpoint({
  id: 'createCompany',
  method: 'POST',
  path: '/api/users/company/create/',
  summary:
    'Create a company of the account’s own, and go on with it in this session. An account that owns one: 409',
  access: 'account',
  feature: 'members',
  response: session,
  status: 201,
  errors: [404, 409],
});
