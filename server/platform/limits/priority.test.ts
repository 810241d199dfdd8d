import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

/** Prints the priority of each thread of a process that has called this function. */
function prioritiesAfter(name: string): number[] {
  const program = `
    const { readdirSync } = await import('node:fs');
    const os = await import('node:os');
    const priority = await import(process.argv[1]);
    priority[process.argv[2]]();
    console.log(JSON.stringify(readdirSync('/proc/self/task').map((id) => os.getPriority(Number(id)))));`;
  const file = join(import.meta.dirname, 'priority.ts');
  const args = ['--input-type=module', '--eval', program, file, name];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as number[];
}

const before = os.getPriority();
const lowered = (steps: number) => Math.min(os.constants.priority.PRIORITY_LOW, before + steps);

test.runIf(process.platform === 'linux')('a process is lowered with all its threads', () => {
  const priorities = prioritiesAfter('lowerPriorityOfProcess');
  expect(priorities.length).toBeGreaterThan(1);
  expect(new Set(priorities)).toEqual(new Set([lowered(10)]));
});

test.runIf(process.platform === 'linux')('a thread is lowered alone', () => {
  const priorities = prioritiesAfter('lowerPriorityOfThread');
  expect(priorities.filter((priority) => priority === lowered(5))).toHaveLength(1);
  expect(priorities.filter((priority) => priority === before)).toHaveLength(priorities.length - 1);
});
