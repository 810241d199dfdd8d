// npm run check: format, lint, types and dead code.

import path from 'node:path';
import { runChecks } from './checks.ts';

const { failed } = await runChecks(path.resolve(import.meta.dirname, '..'));
process.exitCode = failed === 0 ? 0 : 1;
