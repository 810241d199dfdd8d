import { z } from 'zod';

// The content security policy forbids making code at run time, and zod's trying alone is reported as a
// violation. It is asked when a schema is made, so this module comes before any that makes one.
z.config({ jitless: true });
