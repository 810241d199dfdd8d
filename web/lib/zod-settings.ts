import { z } from 'zod/mini';

// The content security policy forbids generated code, and zod's attempt alone is reported as a violation. Zod
// reads this setting when a schema is created, so import this module before any module with schemas.
z.config({ jitless: true });
