// npm run bench: prints each figure with its limit or peer, measured in the same run.

import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';

import { formatTable, isMet, ratioOf, type Results } from './figure.ts';
import { readOptions, type Options } from './options.ts';
import { findTopics, TOPICS, type Topic } from './topics.ts';
import { withHarness, NoPostgres, SharedPostgres } from './harness.ts';

const HELP = `npm run bench -- [topic …] [--quick] [--seconds N] [--out FILE]

Topics:
${TOPICS.map(({ name, about }) => `  ${name.padEnd(13)} ${about}`).join('\n')}

Without a topic, all but those that say so are measured.
  --quick      small sizes, short runs: shows that it works, measures little
  --seconds N  how long each rate is measured (5; 1 with --quick)
  --companies N  how many there are in tenants (100000; 1000 with --quick)
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

await main();
