import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// What Node made of the code is kept, as at `npm start`: otherwise each file of tests makes it anew, and
// each process and thread that it starts.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

const integration = {
  environment: 'node',
  // Generous, because a slow machine is not a fault: a test that hangs ends all the same.
  testTimeout: 120_000,
  hookTimeout: 120_000,
} as const;

// Tests of the server that touch no database. Most others run twice: on the embedded database in `npm test`, and on
// PostgreSQL in `npm run test:postgres`.
const withoutDatabase = [
  'server/config.test.ts',
  'server/platform/settings/*.test.ts',
  'server/platform/{limits,log,mail,metrics,object-store,pdf}/**/*.test.ts',
  'server/platform/db/{full-disk,turns}.test.ts',
  'server/platform/http/{client-network,open-connections,server,streamed}.test.ts',
  'server/platform/jobs/jobs.test.ts',
  'server/platform/pictures/picture-maker.test.ts',
  'server/payment/bank-file/read/**/*.test.ts',
  'server/document/{document-text,ehf,official-rules}.test.ts',
  'server/document/pdf/**/*.test.ts',
  'server/delivery/carriers/ehf/{access-points,lookup}.test.ts',
  'server/delivery/carriers/email/{ses-notice,sns}.test.ts',
  'server/reminder/proposal-judging.test.ts',
  'server/export/{csv,workbook,zip}.test.ts',
  'server/export/formats/{accounting-workbooks,gbat10,saft}.test.ts',
  'server/**/*.mail.test.ts',
];

// Several processes or connections share a database, calls race, it goes away, or it has a thousand companies: the
// embedded one does none of it. It runs one transaction after the other, and `delivery-kills` shows that it survives a
// kill.
const needsServer = [
  'server/operator/{failover,rolling-upgrade,scale-out,start-failure}.test.ts',
  'server/platform/db/{migrate,pooler,silence}.test.ts',
  'server/document/{document-store,ledger-reads}.test.ts',
  'server/export/printing-thread.test.ts',
  'server/delivery/delivery-workers.test.ts',
  'server/{account/member-races,invoice/races,payment/payment-races,payment/bank-file/booking-races}.test.ts',
  'server/{export/archive/archive,recurring/recurring,reminder/reminder}-kills.test.ts',
  'server/testing/postgres-cluster.test.ts',
];

// Long tables, random orders and many waits: what they find does not depend on the kind of database, and they take
// twice as long on the embedded one.
const long = [
  'server/delivery/{carriers,delivery-order,delivery-turns,delivery-waits,mail-refusals}.test.ts',
  'server/delivery/carriers/email/email-limit.test.ts',
  'server/payment/bank-file/half-done.test.ts',
  'server/platform/db/constraints.test.ts',
];

// Both databases give the same answers over HTTP, so `npm test` alone tries which calls are accepted.
const ofHttp = [
  'server/platform/http/{access,every-answer,features,openapi,validation,versions}.test.ts',
];

const unit = ['{domain,web,scripts}/**/*.test.{ts,tsx}', ...withoutDatabase];

/** Files that put something else in a module's place, or need the process to be as it was at its start. */
const alone = globSync([...unit, 'server/**/*.test.ts'], { cwd: import.meta.dirname }).filter(
  (file) =>
    /vi\.mock\(|^\/\/ A process of its own\b/m.test(
      readFileSync(join(import.meta.dirname, file), 'utf8'),
    ),
);

/** The tests that need no database. */
function unitTests() {
  const shared = { testTimeout: 120_000, sequence: { groupOrder: 0 } };
  const others = globSync(unit, { cwd: import.meta.dirname }).filter((file) =>
    alone.includes(file),
  );
  return [
    {
      extends: true as const,
      test: { ...shared, name: 'unit', include: unit, exclude: others, isolate: false },
    },
    { extends: true as const, test: { ...shared, name: 'unit-alone', include: others } },
  ];
}

/**
 * The tests of the server on one kind of database. The files that a process runs share what it has loaded: the code
 * and PostgreSQL itself, two seconds of each file's time. Those `alone` have a process each.
 */
function serverTests(database: 'embedded' | 'postgres', others: readonly string[]) {
  const shared = {
    ...integration,
    env: { TEST_DATABASE: database },
    globalSetup: [`server/testing/${database}.setup.ts`],
    setupFiles: ['server/testing/company-check.setup.ts'],
    sequence: { groupOrder: 0 },
  };
  const name = `server-${database}`;
  return [
    {
      extends: true as const,
      test: {
        ...shared,
        name,
        include: ['server/**/*.test.ts'],
        exclude: [...others, ...alone],
        isolate: false,
      },
    },
    {
      extends: true as const,
      test: { ...shared, name: `${name}-alone`, include: alone, exclude: [...others] },
    },
  ];
}

/** Begins with the files that take longest, or a run would end with waiting for one of them alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      /(?:-kills|official-rules|delivery-order|server\/main)\.test/.test(moduleId);
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of the sequencer's, not of an array
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => Number(isLong(other)) - Number(isLong(one)));
  }
}

// Projects of one group run side by side, groups one after the other. Browsers have the machine to themselves, because their
// waiting times would otherwise depend on what else runs.
export default defineConfig({
  test: {
    passWithNoTests: true,
    allowOnly: !process.env.CI,
    restoreMocks: true,
    sequence: { sequencer: LongestFirst },
    // A second, the default, is too short for a browser on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    // One more than there are cores: much of what is tested is waiting, for a mail or a time limit.
    maxWorkers: availableParallelism() + 1,
    projects: [
      ...unitTests(),
      ...serverTests('embedded', [...withoutDatabase, ...needsServer, ...long]),
      ...serverTests('postgres', [...withoutDatabase, ...ofHttp]),
      {
        extends: true,
        test: {
          ...integration,
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['server/testing/embedded.setup.ts'],
          // As many as there are cores: a person's waiting is most of a journey.
          maxWorkers: availableParallelism(),
          // The files that a process runs share its browser.
          isolate: false,
          testTimeout: 300_000,
          sequence: { groupOrder: 1 },
        },
      },
      // Of npm run test:operations alone.
      {
        extends: true,
        test: {
          ...integration,
          name: 'operations',
          include: ['operations/**/*.test.ts'],
          env: { TEST_DATABASE: 'postgres' },
          globalSetup: ['server/testing/postgres.setup.ts'],
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
