/** The suites of `npm test`, `npm run test:rest`, `test:all`, `test:postgres` and `test:operations`. */
export type Suite = 'test' | 'rest' | 'all' | 'postgres' | 'operations';

/** A run of vitest. */
export interface TestRun {
  /** Names of projects in vitest.config.ts; `*` stands for anything. */
  projects: string[];
  /** Which of their tests, by full name. Without it, all. */
  names?: RegExp;
}

/**
 * The journeys of `npm test` by their titles, or by the beginning that the cases of one title share: the main way with
 * nothing on and with everything on, and one way through each concept that a person meets.
 */
export const MAIN_JOURNEYS = [
  'a user signs up, sends a first invoice and marks it as paid',
  'a user logs in with a code and with a link',
  'a user creates, changes and deletes customers',
  'a user puts customers into a group and creates an invoice for each of them',
  'a user saves a template and creates an invoice from it',
  'a hairdresser with a phone comes to the first sent invoice with seven presses and eight fields, and marks it as paid',
  'a hairdresser imports her price list with VAT, and corrects two rows',
  'a file is previewed, booked with one press and undone with one press',
  'a user sends a reminder of an invoice, reads the legal rule, and marks it as disputed',
  'a carpenter credits two of five planks, gives a price reduction, and credits the rest',
  'one press creates the due invoices, and each run links to its invoices and failures',
  'a treasurer hands the company over to the next one',
  'a shop exports the documents of the last month, and sends the accountant a link that it takes back',
  'a visitor subscribes to the newsletter and unsubscribes',
  'leaving a form with unsaved input asks first, and leaving a saved or deleted one does not',
];

// Those of `npm test` are played on the embedded database, for which nothing needs to be installed.
const main = MAIN_JOURNEYS.map((title) => RegExp.escape(title)).join('|');

const mainJourneys: TestRun = { projects: ['e2e'], names: new RegExp(`^(?:${main})`) };
const otherJourneys: TestRun = {
  projects: ['screens', 'e2e-postgres', 'e2e-embedded'],
  names: new RegExp(`^(?!${main})`),
};

// Browsers have the machine to themselves, because their waiting times would otherwise depend on what else runs.
export const SUITES: Record<Suite, TestRun[]> = {
  test: [{ projects: ['unit', 'server-embedded', 'server-embedded-alone'] }, mainJourneys],
  rest: [{ projects: ['unit-slow', 'server-embedded-more*', 'server-postgres*'] }, otherJourneys],
  all: [
    { projects: ['unit*', 'server-embedded*', 'server-postgres*'] },
    mainJourneys,
    otherJourneys,
  ],
  postgres: [{ projects: ['server-postgres*'] }],
  operations: [{ projects: ['operations'] }],
};
