import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Whether the caller has what it would be answered with, by the ETag of the answer. A proxy that compresses
 * calls the same bytes weak, and a caller may name several (RFC 9110 § 13.1.2).
 */
export function isCurrent(request: FastifyRequest, reply: FastifyReply): boolean {
  const etag = reply.getHeader('etag');
  const { 'if-none-match': ifNoneMatch } = request.headers;
  const known = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return typeof etag === 'string' && known.includes(etag);
}
