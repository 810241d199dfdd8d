// npm run bench: prints each figure with its limit or peer, measured in the same run.

import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { measureApi } from './api.topic.ts';
import { measureClosing } from './closing.topic.ts';
import { measureDelivery } from './delivery.topic.ts';
import { measureDocuments } from './documents.topic.ts';
import { measureExport } from './export.topic.ts';
import { type Figure, formatTable, isMet, ratioOf, type Results } from './figure.ts';
import { type Harness, NoPostgres, type Options, SharedPostgres, withHarness } from './harness.ts';
import { measureOverview } from './overview.topic.ts';
import { measurePayments } from './payments.topic.ts';
import { measureQuotes } from './quotes.topic.ts';
import { measureRegistration } from './registration.topic.ts';
import { measureSizes } from './sizes.topic.ts';
import { measureWays } from './ways.topic.ts';

/** A group of measurements. */
interface Topic {
  readonly name: string;
  readonly about: string;
  /** Takes minutes, so it runs only when named. */
  readonly isLong?: boolean;
  readonly measure: (harness: Harness) => Promise<Figure[]>;
}

const TOPICS: readonly Topic[] = [
  { name: 'api', about: 'list, read, create, queue over HTTP', measure: measureApi },
  {
    name: 'export',
    about: '100,000 invoices in each format but PDF, and the lists of others meanwhile',
    isLong: true,
    measure: measureExport,
  },
  {
    name: 'overview',
    about: 'the figures of a million invoices, and the lists of others meanwhile',
    isLong: true,
    measure: measureOverview,
  },
  { name: 'sizes', about: 'the list with a thousand to a million invoices', measure: measureSizes },
  {
    name: 'quotes',
    about: 'the list of quotes with a thousand and 100,000',
    measure: measureQuotes,
  },
  {
    name: 'closing',
    about: 'a company with 20,000 invoices deleted, and registering in another one meanwhile',
    measure: measureClosing,
  },
  { name: 'registration', about: 'ten thousand drafts in one call', measure: measureRegistration },
  {
    name: 'payments',
    about: 'a bank file of five thousand payments, from its upload to the books',
    measure: measurePayments,
  },
  { name: 'documents', about: 'PDF and EHF', measure: measureDocuments },
  {
    name: 'delivery',
    about: 'ten thousand invoices mailed with PDF and EHF',
    isLong: true,
    measure: measureDelivery,
  },
  { name: 'ways', about: 'how many of our files a use case passes', measure: measureWays },
];

const HELP = `npm run bench -- [topic …] [--quick] [--seconds N] [--out FILE]

Topics:
${TOPICS.map(({ name, about }) => `  ${name.padEnd(13)} ${about}`).join('\n')}

Without a topic, all but those that say so are measured.
  --quick      small sizes, short runs: shows that it works, measures little
  --seconds N  how long each rate is measured (5; 1 with --quick)
  --out FILE   where the JSON goes (bench/results/latest.json)`;

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    console.log(HELP);
    return;
  }
  await using postgres = new SharedPostgres();
  if (!postgres.isThere) {
    console.error('PostgreSQL 15 or later is not here: what is measured on it is left out.');
  }
  const results: Results[] = [];
  for (const topic of findTopics(options.topics)) {
    const measured = await measure(topic, options, postgres);
    if (measured) results.push(measured);
  }
  console.log(`\n${formatTable(results)}`);
  writeJson(options.out, results);
}

async function measure(
  topic: Topic,
  options: Options,
  postgres: SharedPostgres,
): Promise<Results | null> {
  console.error(`${topic.name}: ${topic.about}`);
  try {
    const figures = await withHarness(options, postgres, topic.measure);
    return { topic: topic.name, figures };
  } catch (error) {
    if (!(error instanceof NoPostgres)) throw error;
    console.error(`  left out: ${error.message}`);
    return null;
  }
}

function writeJson(file: string, results: readonly Results[]): void {
  const [cpu] = cpus();
  const report = {
    at: new Date().toISOString(),
    machine: {
      cpu: cpu?.model,
      cores: cpus().length,
      memory: totalmem(),
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
    },
    figures: results.flatMap(({ topic, figures }) =>
      figures.map((figure) => ({
        topic,
        ...figure,
        ratio: ratioOf(figure),
        met: isMet(figure),
      })),
    ),
  };
  mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  console.error(`\nThe figures are in ${file} too.`);
}

/** The topics with these names; without names, all that are not long. @throws Error for an unknown name */
function findTopics(names: readonly string[]): readonly Topic[] {
  if (names.length === 0) return TOPICS.filter((topic) => topic.isLong !== true);
  return names.map((name) => {
    const topic = TOPICS.find((known) => known.name === name);
    if (!topic) {
      throw new Error(`No topic '${name}': there are ${TOPICS.map((it) => it.name).join(', ')}`);
    }
    return topic;
  });
}

/** Parses the command line. @throws Error when it is invalid */
function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      out: { type: 'string', default: 'bench/results/latest.json' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const seconds = Number(values.seconds ?? (values.quick ? 1 : 5));
  if (!(seconds > 0)) throw new Error('--seconds takes a positive number');
  const { quick, out, help } = values;
  return { topics: positionals, quick, seconds, out, help };
}

await main();
