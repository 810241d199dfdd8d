import type { IsoDate } from '../../../../domain/date.ts';
import { ore, type Ore } from '../../../../domain/money.ts';
import type { FaultList } from './bank-file-fault.ts';
import { digitsToOre, parseShortDate } from './values.ts';

const NO_DATE = '000000';

/** Reads the fields of one line of 80 characters; positions are those of the specification, from 1. */
export class OcrLine {
  readonly text: string;
  readonly number: number;
  readonly #faults: FaultList;

  constructor(text: string, number: number, faults: FaultList) {
    this.text = text;
    this.number = number;
    this.#faults = faults;
  }

  /** The two digits of the record's type. */
  get record(): string {
    return this.field(7, 8);
  }

  field(from: number, to: number): string {
    return this.text.slice(from - 1, to);
  }

  fault(message: string): void {
    this.#faults.add({ message, line: this.number });
  }

  /** Refuses the file here. @throws BankFileFault */
  stop(message: string): never {
    return this.#faults.stop({ message, line: this.number });
  }

  /** A field of digits, as written. */
  digits(name: string, from: number, to: number): string {
    const field = this.field(from, to);
    if (!/^\d+$/.test(field)) this.#faultyField(name, from, to, 'skal bare ha siffer');
    return field;
  }

  count(name: string, from: number, to: number): number {
    return Number(this.digits(name, from, to));
  }

  /** Digits that count øre. */
  amount(name: string, from: number, to: number): Ore {
    const amount = digitsToOre(this.field(from, to));
    if (amount !== null) return amount;
    const rule = /^\d+$/.test(this.field(from, to)) ? 'er for stort' : 'skal bare ha siffer';
    this.#faultyField(name, from, to, rule);
    return ore(0);
  }

  /** A day as DDMMYY. */
  date(name: string, from: number, to: number): IsoDate {
    const date = parseShortDate(this.field(from, to));
    if (date === null) this.#faultyField(name, from, to, 'er ikke en dato (DDMMÅÅ)');
    return date ?? '';
  }

  /** As `date`, or null when the field is filled with zeros. */
  optionalDate(name: string, from: number, to: number): IsoDate | null {
    return this.field(from, to) === NO_DATE ? null : this.date(name, from, to);
  }

  /** Compares a value of a closing record with the one counted. */
  expect(name: string, said: string | number, found: string | number): void {
    if (said !== found) this.fault(`${name} er ${said} i sluttposten, men filen har ${found}.`);
  }

  #faultyField(name: string, from: number, to: number, rule: string): void {
    const where = `posisjon ${from}–${to}`;
    this.fault(`${name} (${where}) ${rule}: «${printable(this.field(from, to))}».`);
  }
}

/** The printable characters of a text, for a message. */
export function printable(text: string): string {
  return text.replaceAll(/[^\u0020-\u007E\u00A0-\uD7FF\uE000-\uFFFD]/g, '\uFFFD').slice(0, 60);
}
