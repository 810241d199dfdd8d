import { readFileSync } from 'node:fs';

import { startProcess, type ProductProcess } from '../server/testing/process.ts';

/** The product in its own process, as `npm start` runs it. */
export interface RunningServer extends ProductProcess {
  /** Resident memory (bytes). */
  memory(): number;
}

/** Starts the product on a free port and waits until it listens. @throws Error with its output */
export async function startServer(
  settings: Readonly<Record<string, string>>,
): Promise<RunningServer> {
  const server = await startProcess(
    // The measured companies are minutes old, so the limit for new ones would apply.
    { NEW_COMPANY_MAILS_PER_DAY: 'none', ...settings },
    { keepsLog: false },
  );
  return { ...server, memory: () => residentMemory(server.pid) };
}

/** Read from /proc, so only on Linux; NaN elsewhere. */
function residentMemory(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  } catch {
    return Number.NaN;
  }
}
