/** A transaction of OCR giro. Absent properties get ordinary values. */
export interface OcrPayment {
  /** Øre, without a sign. */
  readonly amount: number;
  readonly kid?: string;
  /** 10 to 21. Types 18 and 20 are reversals; 20 and 21 have a text. */
  readonly type?: number;
  readonly text?: string;
  /** DDMMYY. */
  readonly netsDate?: string;
  readonly bankDate?: string;
  readonly serial?: number;
  readonly sign?: '0' | '-';
  readonly payerAccount?: string;
  readonly reference?: string;
}

interface OcrFileAssignment {
  readonly account?: string;
  readonly number?: number;
  readonly payments: Iterable<OcrPayment>;
}

export interface OcrFileTransmission {
  readonly number?: number;
  /** DDMMYY. */
  readonly date?: string;
  readonly assignments: readonly OcrFileAssignment[];
}

const OCR_ACCOUNT = '86011117947';
const DATE = '201126';

/** The lines of one transmission, with correct sums. */
export function* ocrLines(transmission: OcrFileTransmission): Generator<string> {
  const { number = 321, date = DATE, assignments } = transmission;
  const all = { count: 0, records: 2, sum: 0 };
  yield fill(`NY00001000008080${digits(number, 7)}00010200`);
  for (const [index, assignment] of assignments.entries()) {
    yield* assignmentLines(assignment, index + 1, all);
  }
  yield fill(
    `NY000089${digits(all.count, 8)}${digits(all.records, 8)}${digits(all.sum, 17)}${date}`,
  );
}

interface Totals {
  count: number;
  records: number;
  sum: number;
}

function* assignmentLines(
  { account = OCR_ACCOUNT, number, payments }: OcrFileAssignment,
  index: number,
  all: Totals,
): Generator<string> {
  const own = { count: 0, records: 2, sum: 0 };
  const dates = { first: '', last: '' };
  yield fill(`NY090020001008566${digits(number ?? index, 7)}${account}`);
  for (const payment of payments) {
    own.count += 1;
    own.sum += payment.amount;
    const lines = paymentLines(payment, own.count);
    own.records += lines.length;
    const sortable = reversed(payment.netsDate ?? DATE);
    if (dates.first === '' || sortable < dates.first) dates.first = sortable;
    if (sortable > dates.last) dates.last = sortable;
    yield* lines;
  }
  all.count += own.count;
  all.records += own.records;
  all.sum += own.sum;
  const [first, last] = [reversed(dates.first || '000000'), reversed(dates.last || '000000')];
  yield fill(
    `NY090088${digits(own.count, 8)}${digits(own.records, 8)}${digits(own.sum, 17)}${DATE}${first}${last}`,
  );
}

function paymentLines(payment: OcrPayment, transaction: number): string[] {
  const { amount, type = 13, netsDate = DATE, serial = 1464, sign = '0', kid = '' } = payment;
  const number = digits(transaction, 7);
  const { bankDate = '000000', payerAccount = '97104133219', reference = '022066380' } = payment;
  const lines = [
    `NY09${type}30${number}${netsDate}13201${digits(serial, 5)}${sign}${digits(amount, 17)}${kid.padStart(25)}000000`,
    `NY09${type}31${number}0000000000${reference}0000000${bankDate}${payerAccount}${'0'.repeat(22)}`,
  ];
  if (type >= 20)
    lines.push(`NY09${type}32${number}${(payment.text ?? '').padEnd(40)}${'0'.repeat(25)}`);
  return lines;
}

/** A whole file, in ISO 8859-1. */
export function ocrFile(transmissions: readonly OcrFileTransmission[], newline = '\r\n'): Buffer {
  const lines = transmissions.flatMap((transmission) => [...ocrLines(transmission)]);
  return Buffer.from(lines.map((line) => line + newline).join(''), 'latin1');
}

/** DDMMYY as YYMMDD, and back. */
function reversed(date: string): string {
  return date.slice(4) + date.slice(2, 4) + date.slice(0, 2);
}

function digits(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

function fill(line: string): string {
  return line.padEnd(80, '0');
}
