import { readFileSync } from 'node:fs';

import { startProcess, type ProductProcess } from '../server/testing/process.ts';

/** The product in a process of its own, as `npm start` runs it. */
export interface RunningServer extends ProductProcess {
  /** Resident memory (bytes). */
  memory(): number;
}

/** Starts the product on a free port and waits until it listens. @throws Error with what it wrote */
export async function startServer(
  settings: Readonly<Record<string, string>>,
): Promise<RunningServer> {
  const server = await startProcess(
    // What is measured here is minutes old.
    { NEW_COMPANY_MAILS_PER_DAY: 'none', ...settings },
    { keepsLog: false },
  );
  return { ...server, memory: () => residentMemory(server.pid) };
}

/** Linux says it in /proc; elsewhere there is no figure. */
function residentMemory(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  } catch {
    return Number.NaN;
  }
}
