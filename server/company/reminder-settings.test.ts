import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { findReminderSettings } from './reminder-settings.service.ts';

const URL = '/api/users/reminder-settings/';
const STEPS = [
  { days: 3, kind: 'REMINDER', fee: false, interest: false },
  { days: 14, kind: 'NOTICE', fee: true, interest: true },
  { days: 31, kind: 'NOTICE', fee: true, interest: true },
] as const;
const PROPOSED = {
  automatic: false,
  approve: true,
  steps: STEPS,
  minimum_amount: 100,
  waive_rest: true,
};
const [FREE, NOTICE] = STEPS;

let testApp: TestApp;
let client: TestClient;
let email: string;
let people = 0;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'reminders' });
});
afterAll(async () => testApp.close());
beforeEach(async () => {
  email = `purrer${++people}@example.no`;
  client = await testApp.login(email);
});

function onDays(step: object, ...days: number[]): object[] {
  return days.map((day) => Object.assign({}, step, { days: day }));
}

const save = async (changes: object = {}) => client.put(URL, { ...PROPOSED, ...changes });

describe('the settings of reminders', () => {
  // REM-21
  test('are the proposed defaults until others are saved', async () => {
    const proposed = { ...PROPOSED, debt_collection_notice: false, version: null };
    expect(await client.get(URL)).toMatchObject({ status: 200, body: proposed });
    const changes = {
      automatic: true,
      approve: false,
      steps: [NOTICE],
      minimum_amount: 49.5,
      waive_rest: false,
    };
    const saved = { ...proposed, ...changes, version: 1 };
    expect(await save(changes)).toMatchObject({ status: 200, body: saved });
    expect((await client.get(URL)).body).toEqual(saved);
    const { db } = testApp.context;
    expect(await findReminderSettings(db, await companyIdOf(db, email))).toEqual({
      automatic: true,
      approve: false,
      steps: [NOTICE],
      minimumAmount: 49_50,
      waiveRest: false,
      version: 1,
    });
  });

  test('are not changed with an old version', async () => {
    await save();
    expect((await save({ version: 1, minimum_amount: 200 })).body.version).toBe(2);
    expect((await save({ version: 1, minimum_amount: 300 })).status).toBe(409);
    expect((await client.get(URL)).body.minimum_amount).toBe(200);
    expect((await save({ minimum_amount: 300 })).body.version).toBe(3);
  });

  test('belong to one company', async () => {
    await save({ minimum_amount: 500 });
    const other = await testApp.login(`annen${people}@example.no`);
    expect((await other.get(URL)).body).toMatchObject({ minimum_amount: 100, version: null });
  });

  // REM-21
  test.each([
    ['steps[0].fee', [{ ...NOTICE, days: 13 }], 'is not allowed before day 14'],
    ['steps[0].fee', [{ ...FREE, days: 20, fee: true }], 'a REMINDER is free of charge'],
    ['steps[2].fee', onDays(NOTICE, 14, 31, 60), 'is not allowed in more than 2 steps'],
    ['steps[1].days', [FREE, { ...FREE }], 'must be more than in the step before'],
    ['steps[0].days', [{ ...FREE, days: 0 }], 'must be greater than or equal to 1'],
    ['steps[0].days', [{ ...FREE, days: 366 }], 'must be less than or equal to 365'],
    ['steps[0].days', [{ ...FREE, days: 1.5 }], 'must be an integer'],
    ['steps', [], 'must have at least 1 items'],
    ['steps', onDays(FREE, 1, 2, 3, 4, 5, 6, 7), 'must have less than or equal to 6 items'],
    ['steps[0].kind', [{ ...FREE, kind: 'THREAT' }], 'must be one of the following values'],
    ['steps[0].kind', [{ ...NOTICE, kind: 'DEBT_COLLECTION_NOTICE' }], 'is not turned on here'],
  ])('name %s where it is not what may be', async (field, steps, message) => {
    const { status, body } = await save({ steps });
    expect([status, body]).toMatchObject([
      400,
      { detail: [{ field, message: expect.stringContaining(message) }] },
    ]);
    expect((await client.get(URL)).body.version).toBeNull();
  });

  test.each([
    ['minimum_amount', { minimum_amount: -1 }],
    ['minimum_amount', { minimum_amount: 1_000_001 }],
    ['minimum_amount', { minimum_amount: 0.001 }],
    ['automatic', { automatic: null }],
    ['waive_rest', { waive_rest: 'yes' }],
  ])('name %s where it is not valid', async (field, changes) => {
    expect(await save(changes)).toMatchObject({ status: 400, body: { detail: [{ field }] } });
  });

  test('are kept consistent by the database', async () => {
    await save();
    const { db } = testApp.context;
    const companyId = await companyIdOf(db, email);
    for (const change of ["steps = '{}'", 'minimum_amount = -1', 'approve = NULL']) {
      await expect(
        sql`UPDATE reminder_settings SET ${sql.raw(change)} WHERE company_id = ${companyId}`.execute(
          db,
        ),
      ).rejects.toThrow(/constraint/);
    }
  });
});

describe('what the operator turns on', () => {
  // REM-9
  test('an inkassovarsel is a step where DEBT_COLLECTION_NOTICE says so', async () => {
    const on = await startTestApp({ FEATURES: 'reminders', DEBT_COLLECTION_NOTICE: 'yes' });
    try {
      const owner = await on.login('varsler@example.no');
      const steps = [NOTICE, { ...NOTICE, kind: 'DEBT_COLLECTION_NOTICE', days: 30 }];
      expect(await owner.put(URL, { ...PROPOSED, steps })).toMatchObject({
        status: 200,
        body: { steps, debt_collection_notice: true },
      });
    } finally {
      await on.close();
    }
  });
});
