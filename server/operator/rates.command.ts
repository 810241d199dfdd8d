import { addDays, dateText, todayInOslo, type IsoDate } from '../../domain/date.ts';
import {
  halfYearOf,
  type LatePaymentRate,
  type LatePaymentRateKind,
} from '../../domain/late-payment/rates.ts';
import { isKroner, kronerToOre, oreToDecimal, ore } from '../../domain/money.ts';
import type { Db } from '../platform/db/database.ts';
import {
  addRates,
  findAddedRates,
  findRates,
  removeRates,
} from '../payment/late-payment.repository.ts';
import { findMissingRates } from '../payment/late-payment.service.ts';
import {
  commandOf,
  OperatorError,
  TEXT,
  UsageError,
  type OperatorContext,
  type Output,
} from './command.ts';

/** Adds late payment rates that this version does not know. */
export const ratesCommand = commandOf({
  usage: `npm run rates -- list                      the rates of late payment that are known
npm run rates -- add DATE [--interest PERCENT] [--compensation KRONER]
                          [--debt-collection KRONER]
                                           add what holds from a day, over what is built in
npm run rates -- remove DATE               forget what was added from this day

Interest (forsinkelsesrente) and compensation (standardkompensasjon) are fixed for half-years, and
DATE is their first day, such as 2027-01-01. Debt collection is inkassosatsen, from which the fee
of a notice follows. It stays until another is fixed.`,

  options: { interest: TEXT, compensation: TEXT, 'debt-collection': TEXT },
  actions: {
    list: async (context, _, output) => list(context, output),
    add: async (context, { word, options }, output) =>
      add(context, readRates(word, options), output),
    remove: async (context, { word }, output) => remove(context, readDay(word), output),
  },
});

interface RateOption {
  readonly kind: LatePaymentRateKind;
  readonly option: 'interest' | 'compensation' | 'debt-collection';
  readonly unit: string;
  /** Wide bounds around all past rates: they catch øre for kroner, or a rate in the wrong place. */
  readonly least: number;
  readonly most: number;
}

const OPTIONS: readonly RateOption[] = [
  { kind: 'INTEREST', option: 'interest', unit: 'per cent', least: 5, most: 30 },
  { kind: 'COMPENSATION', option: 'compensation', unit: 'kroner', least: 200, most: 1500 },
  { kind: 'DEBT_COLLECTION', option: 'debt-collection', unit: 'kroner', least: 500, most: 3000 },
];

function optionOf(kind: LatePaymentRateKind): RateOption {
  const found = OPTIONS.find((known) => known.kind === kind);
  if (!found) throw new Error(`No option for ${kind}`);
  return found;
}

/** No rate is known earlier than this (days). */
const AHEAD_MAX = 366;

async function list({ db }: OperatorContext, output: Output): Promise<void> {
  const added = await findAddedRates(db);
  const rates = await findRates(db);
  output.line('from        interest  compensation  debt collection');
  for (const from of [...new Set(rates.map((rate) => rate.from))].toSorted()) {
    const [interest = '', compensation = '', debtCollection = ''] = OPTIONS.map(({ kind }) => {
      const rate = rates.findLast((known) => known.kind === kind && known.from === from);
      return rate ? oreToDecimal(ore(rate.value)) : '';
    });
    const columns = [
      from,
      (interest && `${interest} %`).padStart(8),
      compensation.padStart(12),
      debtCollection.padStart(15),
      added.some((rate) => rate.from === from) ? 'added' : '',
    ];
    output.line(columns.join('  ').trimEnd());
  }
  for (const line of await sayMissing(db)) output.line(line);
}

/** Prints the missing rates for today's reminders, and for the next half-year. */
async function sayMissing(db: Db): Promise<ReadonlySet<string>> {
  const today = todayInOslo();
  const next = halfYearOf(addDays(halfYearOf(today).from, 200)).from;
  const missing = [...(await findMissingRates(db, today)), ...(await findMissingRates(db, next))];
  return new Set(
    missing.map(({ kind, from }) => `The ${optionOf(kind).option} from ${from} is missing.`),
  );
}

async function add(
  { db }: OperatorContext,
  rates: readonly LatePaymentRate[],
  output: Output,
): Promise<void> {
  const before = await findRates(db);
  await addRates(db, rates);
  for (const { kind, from, value } of rates) {
    const { option, unit } = optionOf(kind);
    const old = before.findLast((rate) => rate.kind === kind && rate.from === from);
    const replaced = old ? `, and no more ${oreToDecimal(ore(old.value))}` : '';
    output.line(`From ${from} ${option} is ${oreToDecimal(ore(value))} ${unit}${replaced}.`);
  }
}

async function remove({ db }: OperatorContext, from: IsoDate, output: Output): Promise<void> {
  const removed = await removeRates(db, from);
  if (removed.length === 0) throw new OperatorError(`Nothing was added from ${from}.`);
  const rates = await findRates(db);
  for (const kind of removed) {
    const { option, unit } = optionOf(kind);
    const builtIn = rates.find((rate) => rate.kind === kind && rate.from === from);
    const now = builtIn ? `; ${oreToDecimal(ore(builtIn.value))} ${unit} is built in` : '';
    output.line(`The ${option} that was added from ${from} is forgotten${now}.`);
  }
}

function readRates(
  word: string | undefined,
  options: Partial<Record<RateOption['option'], string>>,
): LatePaymentRate[] {
  const from = readDay(word);
  const rates: LatePaymentRate[] = [];
  for (const { kind, option, ...limits } of OPTIONS) {
    const text = options[option];
    if (text === undefined) continue;
    if (kind !== 'DEBT_COLLECTION' && halfYearOf(from).from !== from) {
      throw new UsageError(`--${option} begins on 1 January or 1 July, not on ${from}`);
    }
    rates.push({ kind, from, value: readValue(option, text, limits) });
  }
  if (rates.length === 0) throw new UsageError('Which rate? --interest, say');
  return rates;
}

function readDay(word: string | undefined): IsoDate {
  if (word === undefined) throw new UsageError('From which day?');
  const date = dateText().safeParse(word);
  if (!date.success || date.data < '2000-01-01') {
    throw new UsageError(`Not a day such as 2027-01-01: ${word}`);
  }
  if (date.data > addDays(todayInOslo(), AHEAD_MAX)) {
    throw new UsageError(`${word} is more than a year ahead`);
  }
  return date.data;
}

function readValue(
  option: string,
  text: string,
  { unit, least, most }: Pick<RateOption, 'unit' | 'least' | 'most'>,
): number {
  const value = /^\d+([.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
  if (!(value >= least && value <= most && isKroner(value))) {
    const form = `a number of ${unit} from ${least} to ${most}, with at most two decimals`;
    throw new UsageError(`--${option} must be ${form}: ${text}`);
  }
  return kronerToOre(value);
}
