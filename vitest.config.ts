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
  testTimeout: 300_000,
  hookTimeout: 300_000,
} as const;

// Tests of the server that touch no database. All others run on PostgreSQL in `npm run test:postgres`.
const withoutDatabase = [
  'server/{config,errors}.test.ts',
  'server/account/browser-name.test.ts',
  'server/platform/settings/*.test.ts',
  'server/platform/{limits,log,mail,metrics,object-store,pdf,tasks}/**/*.test.ts',
  'server/platform/db/{full-disk,turns}.test.ts',
  'server/platform/http/{client-network,open-connections,server,streamed}.test.ts',
  'server/platform/jobs/jobs.test.ts',
  'server/platform/pictures/picture-maker.test.ts',
  'server/payment/bank-file/{match,read}/**/*.test.ts',
  'server/document/{document-text,ehf,official-rules}.test.ts',
  'server/document/pdf/**/*.test.ts',
  'server/delivery/carriers/ehf/{access-points,lookup}.test.ts',
  'server/delivery/carriers/email/{ses-notice,sns}.test.ts',
  'server/reminder/proposal-judging.test.ts',
  'server/integration/webhook-client.test.ts',
  'server/export/{csv,workbook,zip}.test.ts',
  'server/export/formats/{accounting-workbooks,gbat10,saft}.test.ts',
  'server/**/*.mail.test.ts',
];

// These run on the embedded database too: what is different there (its start and its end, one process, one transaction
// after the other, files in DATA_DIR, its extensions), and the main path of each concept. A rule tried case by case is the
// same there, and takes two and a half times as long. `npm test` runs the main paths, one file for each concept, and the types
// of the tables, so that whoever forgot them is told. Where several processes or connections share a database, calls race, or
// it goes away, the embedded one has no part; `delivery-kills` shows that it survives a kill.
const mainOnEmbedded = [
  'server/registration-kill.test.ts',
  'server/platform/db/tables.test.ts',
  'server/account/login.test.ts',
  'server/customer/group-list.test.ts',
  'server/invoice/{invoice-registration,template-list}.test.ts',
  'server/issuing/{credits,invoice-list}.test.ts',
  'server/document/document-files.test.ts',
  'server/delivery/delivery.test.ts',
  'server/payment/payments.test.ts',
  'server/payment/bank-file/booking.test.ts',
  'server/reminder/reminders.test.ts',
  'server/recurring/recurring.test.ts',
  'server/product/products.test.ts',
  'server/newsletter/newsletter.test.ts',
  'server/export/export.test.ts',
  'server/overview/overview.test.ts',
];
const moreOnEmbedded = [
  'server/main.test.ts',
  'server/platform/db/{backup,baseline,client,connections,embedded,frequent-statements,upkeep}.test.ts',
  'server/platform/jobs/*.test.ts',
  'server/platform/http/idempotency.test.ts',
  'server/operator/{operator,operator-cut-off}.test.ts',
  'server/account/session-lookup.test.ts',
  'server/customer/customer-search.test.ts',
  'server/delivery/delivery-kills.test.ts',
  'server/integration/webhook.test.ts',
];

/**
 * The tests that `npm test` leaves out wait more than they work, for a retry, a kill or a time limit: with two processes more
 * than there are cores, half of the cores' time went unused.
 */
const waiting = {
  sequence: { groupOrder: 1 },
  maxWorkers: availableParallelism() + 4,
} as const;

/** Tests without a database that `npm test` leaves out, because each takes many seconds of a processor. */
const slow = [
  'server/platform/db/full-disk.test.ts',
  'server/platform/http/open-connections.test.ts',
  'server/platform/pictures/picture-maker.test.ts',
  'server/document/official-rules.test.ts',
  'server/document/pdf/{renderer-faults,renderer-memory}.test.ts',
  'server/export/workbook.test.ts',
];

const unit = ['{domain,web,scripts}/**/*.test.{ts,tsx}', ...withoutDatabase];

function filesOf(patterns: readonly string[], others: readonly string[] = []): string[] {
  return globSync([...patterns], { cwd: import.meta.dirname, exclude: [...others] });
}

/** The files in which something stands. */
function filesWith(what: RegExp, patterns: readonly string[]): string[] {
  return filesOf(patterns).filter((file) =>
    what.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
  );
}

/** Files that put something else in a module's place, or need the process to be as it was at its start. */
const alone = new Set(
  filesWith(/vi\.mock\(|^\/\/ A process of its own\b/m, ['server/**/*.test.ts']),
);

/** Journeys that no other database can be played on. */
const onEmbedded = filesWith(/^\/\/ On the embedded database\b/m, ['e2e/*.test.ts']);

/**
 * The tests of the server on one kind of database. The files that a process runs share what it has loaded: the code
 * and PostgreSQL itself, two seconds of each file's time. Those `alone` have a process each.
 */
function serverTests(name: string, database: 'embedded' | 'postgres', files: readonly string[]) {
  const shared = {
    ...integration,
    ...(name === 'server-embedded' ? { sequence: { groupOrder: 0 } } : waiting),
    env: { TEST_DATABASE: database },
    globalSetup: [`server/testing/${database}.setup.ts`],
    setupFiles: ['server/testing/company-check.setup.ts'],
  };
  return [
    {
      extends: true as const,
      test: {
        ...shared,
        name,
        include: files.filter((file) => !alone.has(file)),
        isolate: false,
        // Node reads the code itself, as in production, and vitest transforms none of it: a tenth of the time.
        experimental: { viteModuleRunner: false },
      },
    },
    {
      extends: true as const,
      test: {
        ...shared,
        name: `${name}-alone`,
        include: files.filter((file) => alone.has(file)),
      },
    },
  ];
}

function unitTests(name: string, files: readonly string[]) {
  return {
    extends: true as const,
    test: {
      ...(name === 'unit' ? { sequence: { groupOrder: 0 } } : waiting),
      name,
      include: [...files],
      isolate: false,
      testTimeout: 120_000,
      hookTimeout: 120_000,
    },
  };
}

interface BrowserTests {
  include: string[];
  globalSetup?: string[];
  env?: Record<string, string>;
}

function browserTests(name: string, which: BrowserTests) {
  return {
    extends: true as const,
    test: {
      ...integration,
      ...which,
      name,
      // As many as there are cores: a person's waiting is most of a journey.
      maxWorkers: availableParallelism(),
      // The files that a process runs share its browser.
      isolate: false,
      sequence: { groupOrder: 2 },
    },
  };
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
    setupFiles: ['scripts/test-cost.setup.ts'],
    sequence: { sequencer: LongestFirst },
    // A second, the default, is too short for a browser on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    // Two more than there are cores: much of what is tested is waiting, for a mail or a time limit.
    maxWorkers: availableParallelism() + 2,
    // Room for what is made and thrown away at once (MB): garbage is collected less often, for a tenth less processor time.
    execArgv: ['--max-semi-space-size=64'],
    projects: [
      unitTests('unit', filesOf(unit, slow)),
      unitTests('unit-slow', filesOf(slow)),
      ...serverTests('server-embedded', 'embedded', filesOf(mainOnEmbedded)),
      ...serverTests('server-embedded-more', 'embedded', filesOf(moreOnEmbedded, withoutDatabase)),
      ...serverTests(
        'server-postgres',
        'postgres',
        filesOf(['server/**/*.test.ts'], withoutDatabase),
      ),
      browserTests('e2e', {
        include: ['e2e/*.test.ts'],
        globalSetup: ['server/testing/embedded.setup.ts'],
      }),
      // A journey is the same there, and its server takes less than half of the processor time.
      browserTests('e2e-postgres', {
        include: filesOf(['e2e/*.test.ts'], onEmbedded),
        globalSetup: ['server/testing/postgres.setup.ts'],
        env: { TEST_DATABASE: 'postgres' },
      }),
      browserTests('e2e-embedded', {
        include: onEmbedded,
        globalSetup: ['server/testing/embedded.setup.ts'],
      }),
      browserTests('screens', { include: ['e2e/screens/*.test.ts'] }),
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
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
