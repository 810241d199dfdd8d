import { LogController, type FastifyReply, type FastifyRequest } from 'fastify';

/** Requested every few seconds; in the log they would hide the other lines. */
export const HEALTH_CHECKS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** One line for each request, after its answer; with LOG_LEVEL=debug another when it arrives. */
export class RequestLog extends LogController {
  constructor() {
    super({
      requestIdLogLabel: 'requestId',
      disableRequestLogging: (request) => HEALTH_CHECKS.has(request.url),
    });
  }

  override incomingRequest(request: FastifyRequest): void {
    if (!this.isLogDisabled(request)) request.log.debug({ req: request }, 'request came');
  }

  override requestCompleted(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (this.isLogDisabled(request)) return;
    const outcome = { req: request, res: reply, responseTime: reply.elapsedTime };
    if (error) reply.log.error({ ...outcome, err: error }, 'request errored');
    else reply.log.info(outcome, 'request completed');
  }
}
