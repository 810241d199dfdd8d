import type { IsoDate } from '../../../../domain/date.ts';
import type { FaultList } from './bank-file-fault.ts';
import { parseAccount, parseDate, parseDateTime } from './values.ts';

/** CdtDbtInd: CRDT is into the account, DBIT out of it. */
export type Direction = 'CRDT' | 'DBIT';

/** An element that has ended, with its text. */
export interface CamtValue {
  readonly text: string;
  readonly currency: string | null;
  readonly line: number;
  /** Its path from the root. */
  readonly path: string;
}

const TOTALS = 'NbOfNtries Sum TtlNetNtryAmt CdtDbtInd TtlNetNtry/Amt TtlNetNtry/CdtDbtInd';

/**
 * The known fields of each part of a message. All other elements are skipped with their content. Versions differ: Sts
 * is text up to 03 and has a code since, the net of entries is TtlNetNtryAmt up to 02, and Dbtr has Pty since 08.
 */
const PARTS = {
  GrpHdr: 'MsgPgntn/PgNb MsgPgntn/LastPgInd',
  Stmt: 'CreDtTm StmtPgntn/PgNb StmtPgntn/LastPgInd NtfctnPgntn/PgNb NtfctnPgntn/LastPgInd',
  'Stmt/Acct': 'Id/IBAN Id/Othr/Id Ccy',
  'Stmt/Bal': 'Tp/CdOrPrtry/Cd Amt CdtDbtInd',
  'Stmt/TxsSummry/TtlNtries': TOTALS,
  'Stmt/TxsSummry/TtlCdtNtries': TOTALS,
  'Stmt/TxsSummry/TtlDbtNtries': TOTALS,
  'Stmt/Ntry': `Amt CdtDbtInd RvslInd Sts Sts/Cd Sts/Prtry BookgDt/Dt BookgDt/DtTm ValDt/Dt ValDt/DtTm
    AcctSvcrRef AddtlNtryInf`,
  'Stmt/Ntry/NtryDtls': 'Btch Btch/NbOfTxs Btch/TtlAmt',
  'Stmt/Ntry/NtryDtls/TxDtls': `Refs/AcctSvcrRef Refs/TxId Refs/UETR Amt CdtDbtInd AmtDtls/InstdAmt/Amt
    AmtDtls/TxAmt/Amt RltdPties/Dbtr/Nm RltdPties/Dbtr/Pty/Nm RltdPties/DbtrAcct/Id/IBAN
    RltdPties/DbtrAcct/Id/Othr/Id RmtInf/Ustrd AddtlTxInf`,
  'Stmt/Ntry/NtryDtls/TxDtls/RmtInf/Strd': 'CdtrRefInf/Ref RfrdDocInf/Nb RfrdDocAmt/RmtdAmt',
};

/** An element that is read: a part, a field of the part around it, or one on the way to these. */
export interface KnownElement {
  readonly part?: keyof typeof PARTS;
  readonly field?: string;
}

/** The known elements of each format, by their path. */
export const KNOWN_ELEMENTS = {
  CAMT054: knownElements('Document/BkToCstmrDbtCdtNtfctn', 'Ntfctn'),
  CAMT053: knownElements('Document/BkToCstmrStmt', 'Stmt'),
};

function knownElements(message: string, statement: string): ReadonlyMap<string, KnownElement> {
  const known = new Map<string, KnownElement>();
  const add = (path: string, element: KnownElement) => {
    const steps = path.split('/');
    for (const end of steps.keys()) {
      const way = steps.slice(0, end + 1).join('/');
      known.set(way, known.get(way) ?? {});
    }
    known.set(path, { ...known.get(path), ...element });
  };
  for (const [part, fields] of Object.entries(PARTS)) {
    const path = `${message}/${part.replace('Stmt', statement)}`;
    add(path, { part: part as keyof typeof PARTS });
    for (const field of fields.split(/\s+/)) add(`${path}/${field}`, { field });
  }
  return known;
}

/** A path below Ntfctn or Stmt, as faults name it. */
export function shortPath(path: string): string {
  const steps = path.split('/');
  return steps.slice(3).join('/') || (steps.at(-1) ?? '');
}

/** Limit for repeated elements. */
const MOST = 1000;

/**
 * A part of a message with the values of its fields. Reading a field that is there twice is a fault, because it is
 * unclear which one counts.
 */
export class CamtPart {
  readonly path: string;
  /** The line at which it begins. */
  readonly line: number;
  /** The parts in it that have ended. */
  readonly parts: CamtPart[] = [];
  readonly #values = new Map<string, CamtValue[]>();
  readonly #faults: FaultList;

  constructor(path: string, line: number, faults: FaultList) {
    this.path = path;
    this.line = line;
    this.#faults = faults;
  }

  add(field: string, value: CamtValue): void {
    const values = this.#values.get(field);
    if (!values) this.#values.set(field, [value]);
    else if (values.length < MOST) values.push(value);
    else this.#fault(value, `er der mer enn ${MOST} ganger`);
  }

  addPart(part: CamtPart): void {
    if (this.parts.length < MOST) this.parts.push(part);
    else
      this.#fault({ line: part.line, path: part.path, text: '' }, `er der mer enn ${MOST} ganger`);
  }

  has(field: string): boolean {
    return this.#values.has(field);
  }

  texts(field: string): string[] {
    return (this.#values.get(field) ?? []).map(({ text }) => text).filter((text) => text !== '');
  }

  text(...fields: string[]): string | null {
    return this.#one(fields, ({ text }) => text || null);
  }

  /** An amount as it is written. */
  amount(field: string): CamtValue | null {
    return this.#one([field], (value) => value);
  }

  /** An account is an IBAN or another number. */
  account(field: string): string | null {
    const fields = [`${field}/IBAN`, `${field}/Othr/Id`];
    return this.#one(fields, ({ text }) => parseAccount(text) || null);
  }

  direction(...fields: string[]): Direction | null {
    return this.#one(fields, (value) => {
      if (value.text === 'CRDT' || value.text === 'DBIT') return value.text;
      return this.#fault(value, 'må være CRDT eller DBIT');
    });
  }

  flag(...fields: string[]): boolean | null {
    return this.#one(fields, (value) => {
      if (value.text === 'true' || value.text === '1') return true;
      if (value.text === 'false' || value.text === '0') return false;
      return this.#fault(value, 'må være true eller false');
    });
  }

  /** A date is a day or an instant. */
  date(field: string): IsoDate | null {
    return this.#one([`${field}/Dt`, `${field}/DtTm`], (value) => {
      const parse = value.path.endsWith('/Dt') ? parseDate : parseDateTime;
      return parse(value.text) ?? this.#fault(value, 'er ikke en dato');
    });
  }

  instant(field: string): IsoDate | null {
    return this.#one(
      [field],
      (value) => parseDateTime(value.text) ?? this.#fault(value, 'er ikke en dato'),
    );
  }

  /** The only value of these fields; values that are null do not count. */
  #one<T>(fields: readonly string[], read: (value: CamtValue) => T | null): T | null {
    let only: T | null = null;
    for (const value of fields.flatMap((field) => this.#values.get(field) ?? [])) {
      const next = read(value);
      if (only !== null && next !== null) this.#fault(value, 'kan bare være der én gang');
      else only ??= next;
    }
    return only;
  }

  #fault({ line, path, text }: Omit<CamtValue, 'currency'>, rule: string): null {
    const element = shortPath(path);
    const name = element.slice(element.lastIndexOf('/') + 1);
    this.#faults.add({ message: `${name} ${rule}: «${text.slice(0, 60)}».`, line, element });
    return null;
  }
}
