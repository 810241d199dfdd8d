// Runs in every file of tests. Measures the processor time of the file, for the list of the dearest at the end of a run.

import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, type RunnerTestFile } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Seconds of a processor that a file took, with the processes that it started. */
    processorSeconds?: number;
  }
}

/** The unit of times in `/proc`; Linux shows all programs the same (proc(5)). */
const TICKS_PER_SECOND = 100;

const before = processorSeconds();

// oxlint-disable-next-line eslint/no-empty-pattern -- vitest asks for it
afterAll(({}, file) => {
  const { meta } = file as RunnerTestFile;
  meta.processorSeconds = processorSeconds() - before;
});

/**
 * Seconds of a processor that this process has taken; on Linux, with all processes that it started, ended ones too.
 * PostgreSQL belongs to the run and is not in it.
 */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + (process.platform === 'linux' ? secondsOfDescendants() : 0);
}

function secondsOfDescendants(): number {
  const children = new Map<number, Process[]>();
  const own = readProcess('self');
  for (const folder of readdirSync('/proc')) {
    const found = /^\d+$/.test(folder) ? readProcess(folder) : undefined;
    if (found) children.set(found.parent, [...(children.get(found.parent) ?? []), found]);
  }
  const ticksOf = (id: number): number =>
    (children.get(id) ?? []).reduce(
      (sum, child) => sum + child.ticks + child.ticksOfEnded + ticksOf(child.id),
      0,
    );
  return ((own?.ticksOfEnded ?? 0) + ticksOf(process.pid)) / TICKS_PER_SECOND;
}

interface Process {
  id: number;
  parent: number;
  ticks: number;
  /** The ticks of its children that have ended, with theirs. */
  ticksOfEnded: number;
}

/** @returns undefined when the process has ended */
function readProcess(folder: string): Process | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${folder}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name of the program, in parentheses, may contain anything. After it come the fields from the third.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return {
    id: Number.parseInt(text),
    parent: field(4),
    ticks: field(14) + field(15),
    ticksOfEnded: field(16) + field(17),
  };
}
