import { afterAll, beforeAll, expect, test } from 'vitest';

import { RECEIVER, startEhfWorld, type EhfWorld } from '../testing/peppol/ehf-world.ts';
import type { FakePhossAp } from '../testing/peppol/fake-phoss-ap.ts';
import { findPeppolRules, validateAll } from '../testing/peppol-validator.ts';
import { probe } from './ehf.command.ts';

let world: EhfWorld<FakePhossAp>;

beforeAll(async () => {
  world = await startEhfWorld('phoss-ap');
});
afterAll(async () => world.close());

async function send(orgNumber: string): Promise<{ exit: number; lines: string[] }> {
  const lines: string[] = [];
  const output = { line: (text: string) => lines.push(text), bytes: async () => undefined };
  const exit = await probe(world.testApp.context, orgNumber, { isSent: true, pause: 10 }, output);
  return { exit, lines };
}

test('a test invoice is sent on the test network, and each step is reported', async () => {
  const { exit, lines } = await send(RECEIVER);
  expect(lines).toEqual([
    'Network test, zone sml.test',
    `${RECEIVER} INVOICE: reachable`,
    `${RECEIVER} CREDIT_NOTE: reachable`,
    expect.stringMatching(/^Test invoice from 123456785: \d+ bytes, key [0-9a-f-]{36}$/),
    'phoss-ap: accepted',
    'Status: delivered',
  ]);
  expect(exit).toBe(0);
  expect(world.point.transmissions).toMatchObject([{ receiver: RECEIVER }]);
  const rules = findPeppolRules();
  const [verdict] = rules ? validateAll(rules, [world.point.transmissions[0]?.xml ?? '']) : [];
  expect(verdict?.asserts.filter(({ flag }) => flag === 'fatal') ?? []).toEqual([]);
});

test('a refusal ends with 1', async () => {
  world.point.outcomes.set(RECEIVER, 'not-registered');
  const { exit, lines } = await send(RECEIVER);
  expect(lines.at(-1)).toBe('Status: failed: Receiver is not registered in the SML');
  expect(exit).toBe(1);
});

test('no test invoice is sent to real receivers', async () => {
  const { config, ...context } = world.testApp.context;
  const peppol = config.peppol && { ...config.peppol, name: 'production' as const };
  const output = { line: () => undefined, bytes: async () => undefined };
  const production = { ...context, config: { ...config, peppol } };
  await expect(probe(production, RECEIVER, { isSent: true }, output)).rejects.toThrow(
    'on the test network alone',
  );
});
