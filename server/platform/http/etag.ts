import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Whether the caller already has this answer, by its ETag. A proxy that compresses makes the same ETag weak, and a
 * caller may send several (RFC 9110 § 13.1.2).
 */
export function isCurrent(request: FastifyRequest, reply: FastifyReply): boolean {
  const etag = reply.getHeader('etag');
  const { 'if-none-match': ifNoneMatch } = request.headers;
  const known = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return typeof etag === 'string' && known.includes(etag);
}
