import { parseArgs } from 'node:util';

/** What was asked for on the command line. */
export interface Options {
  /** Names of topics; none means all but the long ones. */
  readonly topics: readonly string[];
  /** Smaller sizes and shorter runs, to see that everything works; the figures mean little. */
  readonly quick: boolean;
  /** How long each rate is measured. */
  readonly seconds: number;
  /** How many companies `tenants` fills an installation with; its own number when absent. */
  readonly companies: number | undefined;
  /** Where the JSON goes. */
  readonly out: string;
  readonly help: boolean;
}

/** So many are at work at once, and of a tenth a backup is made. */
const LEAST_COMPANIES = 200;

/** Reads the command line. @throws Error when it cannot be understood */
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
