import { z } from 'zod/mini';

/**
 * A schema with what OpenAPI says about it: its description, or more. The browser's build leaves that out
 * (`vite.config.ts`).
 */
export function described<S extends z.ZodMiniType>(
  schema: S,
  about: string | z.core.GlobalMeta,
): S {
  const copy = schema.clone();
  z.globalRegistry.add(copy, typeof about === 'string' ? { description: about } : about);
  return copy;
}
