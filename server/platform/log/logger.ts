import type { FastifyBaseLogger } from 'fastify';

/** The logger of the product. */
export type Logger = FastifyBaseLogger;
