import { parseArgs } from 'node:util';

/** The options of the command line. */
export interface Options {
  /** Names of topics; empty means all but the long ones. */
  readonly topics: readonly string[];
  /** Smaller sizes and shorter runs, for a functional check; the figures mean little. */
  readonly quick: boolean;
  /** Duration of each measurement of a rate. */
  readonly seconds: number;
  /** Number of companies of `tenants`; the topic's own default when absent. */
  readonly companies: number | undefined;
  /** Path of the JSON file. */
  readonly out: string;
  readonly help: boolean;
}

/** 200 companies work at once, and a tenth of all is backed up. */
const LEAST_COMPANIES = 200;

/** Parses the command line. @throws Error when it is invalid */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      companies: { type: 'string' },
      out: { type: 'string', default: 'bench/results/latest.json' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const seconds = Number(values.seconds ?? (values.quick ? 1 : 5));
  if (!(seconds > 0)) throw new Error('--seconds takes a positive number');
  const companies = values.companies === undefined ? undefined : Number(values.companies);
  if (companies !== undefined && !(Number.isInteger(companies) && companies >= LEAST_COMPANIES)) {
    throw new Error(`--companies takes a whole number from ${LEAST_COMPANIES}`);
  }
  const { quick, out, help } = values;
  return { topics: positionals, quick, seconds, companies, out, help };
}
