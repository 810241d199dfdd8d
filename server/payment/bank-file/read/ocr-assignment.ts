import type { IsoDate } from '../../../../domain/date.ts';
import { formatOre, ore, type Ore } from '../../../../domain/money.ts';
import type { FaultList } from './bank-file-fault.ts';
import type { OcrLine } from './ocr-fields.ts';
import { cleanText, parseKid } from './values.ts';

const FIRST_TYPE = 10;
const LAST_TYPE = 21;
/** Transaction types that take money back, whatever the sign (BANK-11). */
const REVERSALS = new Set([18, 20]);
/** Types with a third item, which has the text. */
const WITH_TEXT = new Set([20, 21]);

/** A transaction from its two or three records. */
export interface OcrTransaction {
  readonly line: number;
  readonly assignment: string;
  readonly account: string;
  readonly transaction: string;
  readonly netsDate: IsoDate;
  readonly bankDate: IsoDate | null;
  /**
   * The bank's statement has one sum for all transactions with the same serial number in one assignment and on one
   * Nets date.
   */
  readonly serial: string;
  readonly amount: Ore;
  readonly kid: string | null;
  readonly text: string | null;
  readonly payerAccount: string | null;
  readonly reference: string | null;
}

type Unfinished = Omit<OcrTransaction, 'text' | 'bankDate' | 'payerAccount' | 'reference'>;

interface Open {
  readonly type: string;
  readonly head: Unfinished;
  rest: Pick<OcrTransaction, 'bankDate' | 'payerAccount' | 'reference'> | null;
}

/** One assignment of service 09: the payments to one account. */
export class OcrAssignment {
  readonly account: string;
  readonly number: string;
  readonly line: number;
  count = 0;
  gross: Ore = ore(0);
  #records = 1;
  #earliest: IsoDate | null = null;
  #latest: IsoDate | null = null;
  #lastTransaction = '';
  #open: Open | null = null;
  readonly #faults: FaultList;
  readonly #onTransaction: (transaction: OcrTransaction) => void;

  constructor(
    start: OcrLine,
    faults: FaultList,
    onTransaction: (transaction: OcrTransaction) => void,
  ) {
    this.#faults = faults;
    this.#onTransaction = onTransaction;
    this.line = start.number;
    this.number = start.digits('Oppdragsnummeret', 18, 24);
    this.account = start.digits('Oppdragskontoen', 25, 35);
  }

  get records(): number {
    return this.#records;
  }

  /** Reads a record between the first and the last of the assignment. @throws BankFileFault */
  take(line: OcrLine): void {
    this.#records += 1;
    if (line.record === '30') this.#takeItem1(line);
    else if (line.record === '31') this.#takeItem2(line);
    else if (line.record === '32') this.#takeItem3(line);
    else line.stop(`Posttype ${line.record} hører ikke hjemme i et oppdrag i OCR giro.`);
  }

  /** Reads the last record, and compares its totals with those counted. @throws BankFileFault */
  end(line: OcrLine): void {
    this.#finishOpen(line);
    this.#records += 1;
    const count = line.count('Antall transaksjoner', 9, 16);
    const records = line.count('Antall poster', 17, 24);
    const sum = line.amount('Summen', 25, 41);
    line.optionalDate('Nets-datoen', 42, 47);
    const earliest = line.optionalDate('Første Nets-dato', 48, 53);
    const latest = line.optionalDate('Siste Nets-dato', 54, 59);
    if (!this.#faults.isEmpty) return;
    line.expect('Antall transaksjoner i oppdraget', count, this.count);
    line.expect('Antall poster i oppdraget', records, this.#records);
    const name = 'Summen av oppdraget (reverseringer lagt til, ikke trukket fra)';
    line.expect(name, formatOre(sum), formatOre(this.gross));
    line.expect('Første Nets-dato', earliest ?? 'ingen', this.#earliest ?? 'ingen');
    line.expect('Siste Nets-dato', latest ?? 'ingen', this.#latest ?? 'ingen');
  }

  #takeItem1(line: OcrLine): void {
    this.#finishOpen(line);
    const type = line.digits('Transaksjonstypen', 5, 6);
    const isKnown = Number(type) >= FIRST_TYPE && Number(type) <= LAST_TYPE;
    if (!isKnown) line.fault(`Transaksjonstypen ${type} er ukjent: OCR giro har 10 til 21.`);
    const transaction = line.digits('Transaksjonsnummeret', 9, 15);
    if (transaction <= this.#lastTransaction) {
      line.fault(`Transaksjonsnummer ${transaction} kommer etter ${this.#lastTransaction}.`);
    }
    this.#lastTransaction = transaction;
    const netsDate = line.date('Nets-datoen', 16, 21);
    const amount = line.amount('Beløpet', 33, 49);
    this.#count(line, netsDate, amount);
    const isTakenBack = line.field(32, 32) === '-' || REVERSALS.has(Number(type));
    const head = {
      line: line.number,
      assignment: this.number,
      account: this.account,
      transaction,
      netsDate,
      serial: line.field(27, 31),
      amount: ore(isTakenBack ? 0 - amount : amount),
      kid: parseKid(line.field(50, 74)),
    };
    this.#open = { type, head, rest: null };
  }

  #takeItem2(line: OcrLine): void {
    const open = this.#openOf(line);
    if (open.rest) line.stop('Beløpspost 2 kommer to ganger for samme transaksjon.');
    const payer = line.digits('Debetkontoen', 48, 58);
    const reference = line.field(26, 34).trim();
    open.rest = {
      bankDate: line.optionalDate('Bankens dato', 42, 47),
      payerAccount: Number(payer) === 0 ? null : payer,
      reference: /^0*$/.test(reference) ? null : cleanText(reference),
    };
    if (!WITH_TEXT.has(Number(open.type))) this.#pass(open, null);
  }

  #takeItem3(line: OcrLine): void {
    const open = this.#openOf(line);
    if (!open.rest) line.stop('Beløpspost 3 kommer før beløpspost 2.');
    this.#pass(open, cleanText(line.field(16, 55)));
  }

  /** The transaction to which a second or third item belongs. */
  #openOf(line: OcrLine): Open {
    const item = `Beløpspost ${Number(line.record) - 29}`;
    const open = this.#open;
    if (!open) {
      const isThird = line.record === '32';
      const rule = isThird ? ', eller typen skal ikke ha noen: bare 20 og 21 har det' : '';
      return line.stop(`${item} har ingen transaksjon foran seg${rule}.`);
    }
    const { transaction } = open.head;
    if (line.field(9, 15) !== transaction) {
      const other = line.field(9, 15);
      line.stop(`${item} har transaksjonsnummer ${other}, men beløpspost 1 ${transaction}.`);
    }
    if (line.field(5, 6) !== open.type) {
      line.stop(`${item} har type ${line.field(5, 6)}, men beløpspost 1 ${open.type}.`);
    }
    return open;
  }

  #finishOpen(line: OcrLine): void {
    if (!this.#open) return;
    const { head, rest, type } = this.#open;
    const missing = rest
      ? `beløpspost 3, som type ${type} skal ha, mangler`
      : 'beløpspost 2 mangler';
    line.stop(`Transaksjon ${head.transaction} er ikke hel: ${missing}.`);
  }

  #pass({ head, rest }: Open, text: string | null): void {
    this.#open = null;
    if (rest) this.#onTransaction({ ...head, ...rest, text });
  }

  #count(line: OcrLine, netsDate: IsoDate, amount: Ore): void {
    this.count += 1;
    const gross = this.gross + amount;
    if (!Number.isSafeInteger(gross)) line.stop('Summen er for stor til å være riktig.');
    this.gross = ore(gross);
    if (this.#earliest === null || netsDate < this.#earliest) this.#earliest = netsDate;
    if (this.#latest === null || netsDate > this.#latest) this.#latest = netsDate;
  }
}
