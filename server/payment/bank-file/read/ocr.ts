import type { IsoDate } from '../../../../domain/date.ts';
import { formatOre, ore, type Ore } from '../../../../domain/money.ts';
import type { FaultList } from './bank-file-fault.ts';
import type { Findings } from './findings.ts';
import { OcrAssignment, type OcrTransaction } from './ocr-assignment.ts';
import { OcrLine, printable } from './ocr-fields.ts';

const LENGTH = 80;
/** Anything longer is not a line of the format; reading stops instead of waiting for its end. */
const LONGEST = 1000;
const START = 'NY000010';
const END = 'NY000089';
/** MS-DOS ended files with 0x1A, and some banks' programs still do. */
// oxlint-disable-next-line no-control-regex
const NOTHING = /^[\s\u001A]*$/;

/**
 * Reads OCR giro, service 09, of Nets: lines of 80 characters in ISO 8859-1, of one or more transmissions. Source:
 * Nets, System specification OCR giro 2.0. Fillers are ignored.
 */
export class OcrReader {
  readonly #faults: FaultList;
  readonly #findings: Findings;
  #rest = '';
  #line = 0;
  #transmission: OcrTransmission | null = null;
  #count = 0;

  constructor(faults: FaultList, findings: Findings) {
    this.#faults = faults;
    this.#findings = findings;
  }

  /** @throws BankFileFault */
  write(bytes: Uint8Array): void {
    const { buffer, byteOffset, byteLength } = bytes;
    const text = Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#take(line);
    if (this.#rest.length > LONGEST) this.#take(this.#rest);
  }

  /** @throws BankFileFault */
  end(): 'OCR' {
    // oxlint-disable-next-line no-control-regex
    const rest = this.#rest.replace(/\u001A+$/, '');
    if (rest !== '') this.#take(rest);
    const message = `Filen slutter midt i en forsendelse: sluttposten (${END}) mangler.`;
    if (this.#transmission) this.#faults.stop({ message, line: this.#line });
    this.#faults.throwIfAny();
    if (this.#count === 0) this.#faults.stop({ message: 'Filen er tom.', line: 1 });
    return 'OCR';
  }

  #take(ended: string): void {
    this.#line += 1;
    const isBlank = NOTHING.test(ended);
    if (isBlank && !this.#transmission) return;
    const line = new OcrLine(ended.replace(/\r$/, ''), this.#line, this.#faults);
    if (line.text.length !== LENGTH) this.#refuseLength(line);
    if (!/^NY\d{6}/.test(line.text)) {
      const start = printable(line.field(1, 8));
      line.stop(`Linjen begynner med «${start}»; i OCR giro begynner den med NY og 6 siffer.`);
    }
    this.#takeRecord(line);
  }

  #takeRecord(line: OcrLine): void {
    const code = line.field(1, 8);
    if (code === START) {
      if (this.#transmission) line.stop(`Forsendelsen før er ikke avsluttet (${END}).`);
      this.#count += 1;
      this.#transmission = new OcrTransmission(line, this.#faults, this.#findings);
    } else if (!this.#transmission) {
      line.stop(`Post ${code} kommer utenfor en forsendelse, som begynner med ${START}.`);
    } else if (code === END) {
      this.#transmission.end(line);
      this.#transmission = null;
    } else {
      this.#transmission.take(line);
    }
  }

  #refuseLength(line: OcrLine): never {
    const { length } = line.text;
    const hint =
      length > LENGTH && line.text.includes('\u00C3') ? ' Er filen lagret på nytt som UTF-8?' : '';
    const count = length > LONGEST ? `mer enn ${LONGEST}` : length;
    return line.stop(`Linjen har ${count} tegn; i OCR giro har den nøyaktig ${LENGTH}.${hint}`);
  }
}

const SERVICE = '09';
const ASSIGNMENT_START = '20';
const ASSIGNMENT_END = '88';

/** An assignment of another service: its records are counted but not read. */
interface Skipped {
  readonly service: string;
  records: number;
}

interface KeptTransaction extends Omit<OcrTransaction, 'netsDate' | 'serial'> {
  readonly statementLine: { readonly reference: null; readonly date: IsoDate; sum: Ore };
}

/** One transmission, from its first record to its last. */
export class OcrTransmission {
  readonly #number: string;
  readonly #faults: FaultList;
  readonly #findings: Findings;
  readonly #transactions: KeptTransaction[] = [];
  /** Shared by the transactions with the same serial number. */
  readonly #statementLines = new Map<string, KeptTransaction['statementLine']>();
  readonly #assignments = new Set<string>();
  /** Starts at 2 for the first and the last record. */
  #records = 2;
  #count = 0;
  #gross: Ore = ore(0);
  /** The totals that assignments of other services state. */
  #otherCount = 0;
  #otherGross: Ore = ore(0);
  #assignment: OcrAssignment | null = null;
  #skipped: Skipped | null = null;
  #hasOthers = false;

  constructor(start: OcrLine, faults: FaultList, findings: Findings) {
    this.#faults = faults;
    this.#findings = findings;
    this.#number = start.digits('Forsendelsesnummeret', 17, 23);
  }

  /** Reads a record between the first and the last of the transmission. @throws BankFileFault */
  take(line: OcrLine): void {
    if (this.#assignment) this.#takeOfAssignment(this.#assignment, line);
    else if (this.#skipped) this.#takeOfSkipped(this.#skipped, line);
    else if (line.record === ASSIGNMENT_START) this.#start(line);
    else line.stop(`Post ${line.field(3, 8)} kommer utenfor et oppdrag.`);
  }

  /** Reads the last record: adds the transactions when all totals agree. @throws BankFileFault */
  end(line: OcrLine): void {
    if (this.#assignment || this.#skipped) {
      line.stop('Forsendelsen slutter midt i et oppdrag: sluttposten (88) mangler.');
    }
    const count = line.count('Antall transaksjoner', 9, 16);
    const records = line.count('Antall poster', 17, 24);
    const sum = line.amount('Summen', 25, 41);
    // A transmission with AvtaleGiro alone has no date.
    if (this.#hasOthers) line.optionalDate('Nets-datoen', 42, 47);
    else line.date('Nets-datoen', 42, 47);
    if (!this.#faults.isEmpty) return;
    line.expect('Antall transaksjoner i forsendelsen', count, this.#count + this.#otherCount);
    line.expect('Antall poster i forsendelsen', records, this.#records);
    // The specification does not say whether the sums of other services are included: both are accepted.
    const isWithOthers = sum === this.#gross + this.#otherGross;
    if (!isWithOthers) {
      line.expect('Summen av forsendelsen', formatOre(sum), formatOre(this.#gross));
    }
    if (this.#faults.isEmpty) this.#pass(line.field(42, 47));
  }

  #start(line: OcrLine): void {
    if (line.field(3, 4) !== SERVICE) {
      this.#hasOthers = true;
      this.#skipped = { service: line.field(3, 4), records: 1 };
      return;
    }
    if (line.field(5, 6) !== '00') {
      line.stop(`Oppdragstypen ${line.field(5, 6)} er ukjent: OCR giro har 00.`);
    }
    const assignment = new OcrAssignment(line, this.#faults, (transaction) =>
      this.#keep(transaction),
    );
    if (this.#assignments.has(assignment.number)) {
      line.fault(`Oppdragsnummer ${assignment.number} er brukt to ganger i forsendelsen.`);
    }
    this.#assignments.add(assignment.number);
    this.#findings.addAccount(assignment.account, line.number);
    this.#assignment = assignment;
  }

  #takeOfAssignment(assignment: OcrAssignment, line: OcrLine): void {
    if (line.field(3, 4) !== SERVICE) {
      line.stop('Oppdraget er ikke avsluttet: sluttposten (NY090088) mangler.');
    }
    if (line.record !== ASSIGNMENT_END) {
      assignment.take(line);
      return;
    }
    assignment.end(line);
    this.#records += assignment.records;
    this.#count += assignment.count;
    this.#gross = this.#add(this.#gross, assignment.gross, line);
    this.#assignment = null;
  }

  #takeOfSkipped(skipped: Skipped, line: OcrLine): void {
    if (line.field(3, 4) !== skipped.service) {
      line.stop(`Oppdraget i tjeneste ${skipped.service} er ikke avsluttet.`);
    }
    skipped.records += 1;
    if (line.record !== ASSIGNMENT_END) return;
    const count = line.count('Antall transaksjoner', 9, 16);
    line.expect('Antall poster i oppdraget', line.count('Antall poster', 17, 24), skipped.records);
    this.#records += skipped.records;
    this.#otherCount += count;
    this.#otherGross = this.#add(this.#otherGross, line.amount('Summen', 25, 41), line);
    this.#skipped = null;
    this.#findings.ignore('OTHER_SERVICE', count);
  }

  #add(one: Ore, other: Ore, line: OcrLine): Ore {
    if (Number.isSafeInteger(one + other)) return ore(one + other);
    return line.stop('Summen er for stor til å være riktig.');
  }

  #keep({ netsDate: date, serial, ...transaction }: OcrTransaction): void {
    const key = `${transaction.assignment} ${date} ${serial}`;
    const statementLine = this.#statementLines.get(key) ?? { reference: null, date, sum: ore(0) };
    statementLine.sum = ore(statementLine.sum + transaction.amount);
    this.#statementLines.set(key, statementLine);
    this.#transactions.push({ ...transaction, statementLine });
  }

  #pass(transmissionDate: string): void {
    // Taken off one by one: a large file is not in memory twice.
    const transactions = this.#transactions.splice(0).toReversed();
    for (let found = transactions.pop(); found; found = transactions.pop()) {
      const { bankDate, assignment, transaction, ...rest } = found;
      const numbers = { transmissionDate, transmission: this.#number, assignment, transaction };
      this.#findings.add({
        ...rest,
        kind: rest.amount < 0 ? 'REVERSAL' : 'PAYMENT',
        totalReason: null,
        date: bankDate ?? rest.statementLine.date,
        kids: rest.kid === null ? [] : [{ kid: rest.kid, amount: null }],
        invoiceNumbers: [],
        payer: null,
        counted: { by: 'OCR', ...numbers },
      });
    }
  }
}
