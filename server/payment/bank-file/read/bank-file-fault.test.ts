import { expect, it } from 'vitest';

import { BankFileFault, FaultList, MOST_FAULTS } from './bank-file-fault.ts';

function faultsOf(work: () => void): readonly unknown[] {
  try {
    work();
  } catch (error) {
    if (error instanceof BankFileFault) return error.faults;
  }
  return [];
}

it('collects faults up to the limit', () => {
  const list = new FaultList();
  list.throwIfAny();
  for (let line = 1; line < MOST_FAULTS; line++) list.add({ message: 'Feil', line });
  expect(list.isEmpty).toBe(false);
  expect(faultsOf(() => list.throwIfAny())).toHaveLength(MOST_FAULTS - 1);
  expect(faultsOf(() => list.add({ message: 'Feil', line: 20 }))).toHaveLength(MOST_FAULTS);
});

it('stops at a fault that makes the rest unreadable', () => {
  const list = new FaultList();
  list.add({ message: 'Først', line: 1 });
  expect(faultsOf(() => list.stop({ message: 'Så', line: 2 }))).toEqual([
    { message: 'Først', line: 1 },
    { message: 'Så', line: 2 },
  ]);
});
