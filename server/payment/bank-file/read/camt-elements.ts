import type { IsoDate } from '../../../../domain/date.ts';
import type { FaultList } from './bank-file-fault.ts';
import {
  BalanceDraft,
  BatchDraft,
  DetailDraft,
  EntryDraft,
  type PagesDraft,
  RemittanceDraft,
  SaidTotals,
  StatementDraft,
  type Direction,
  type WrittenAmount,
} from './camt-drafts.ts';
import { parseAccount, parseDate, parseDateTime } from './values.ts';

/** An element that has ended, with its text. */
interface CamtValue {
  readonly text: string;
  readonly currency: string | null;
  readonly line: number;
  /** Its path below Ntfctn or Stmt; only valid until the element is left. */
  readonly path: () => string;
}

/** The state of reading, with a callback for each completed part. */
export interface CamtState {
  readonly faults: FaultList;
  /** Page of the message. */
  readonly pages: PagesDraft;
  statement: StatementDraft;
  balance: BalanceDraft;
  totals: SaidTotals;
  entry: EntryDraft;
  batch: BatchDraft;
  detail: DetailDraft;
  remittance: RemittanceDraft;
  onDetail(): void;
  onEntry(): void;
  onStatement(): void;
}

/** A known element. Others are skipped with their content. */
export interface CamtElement {
  readonly children: ReadonlyMap<string, CamtElement>;
  readonly open?: (state: CamtState, line: number) => void;
  readonly close?: (state: CamtState, value: CamtValue) => void;
}

type Hooks = Omit<CamtElement, 'children'>;

function element(children: Readonly<Record<string, CamtElement>>, hooks: Hooks = {}): CamtElement {
  return { children: new Map(Object.entries(children)), ...hooks };
}

function leaf(close: CamtElement['close']): CamtElement {
  return { children: new Map(), close };
}

/** The target of an amount, a date or a reference; it may be set once. */
type Put<T> = (
  state: CamtState,
  take: <K extends string>(on: { [k in K]: T | null }, as: K) => void,
) => void;

/** Sets a value. A second value for the same field is a fault, because it is unclear which one counts. */
function put<T>(
  read: (value: CamtValue, state: CamtState) => T | null,
  where: Put<T>,
): CamtElement {
  return leaf((state, value) => {
    const parsed = read(value, state);
    if (parsed === null) return;
    where(state, (on, as) => {
      if (on[as] === null) on[as] = parsed;
      else fault(state, value, 'kan bare være der én gang');
    });
  });
}

const text = (where: Put<string>) => put<string>(({ text: found }) => found || null, where);
const amount = (where: Put<WrittenAmount>) =>
  put<WrittenAmount>(
    ({ text: found, currency, line, path }) => ({ text: found, currency, line, element: path() }),
    where,
  );
const account = (where: Put<string>) =>
  put<string>(({ text: found }) => parseAccount(found) || null, where);

const direction = (where: Put<Direction>) =>
  put<Direction>((value, state) => {
    if (value.text === 'CRDT' || value.text === 'DBIT') return value.text;
    return fault(state, value, 'må være CRDT eller DBIT');
  }, where);

const flag = (where: Put<boolean>) =>
  put<boolean>((value, state) => {
    if (value.text === 'true' || value.text === '1') return true;
    if (value.text === 'false' || value.text === '0') return false;
    return fault(state, value, 'må være true eller false');
  }, where);

const day = (where: Put<IsoDate>) =>
  put<IsoDate>((value, state) => parseDate(value.text) ?? fault(state, value, NO_DATE), where);

const instant = (where: Put<IsoDate>) =>
  put<IsoDate>((value, state) => parseDateTime(value.text) ?? fault(state, value, NO_DATE), where);

const NO_DATE = 'er ikke en dato';

function fault(state: CamtState, { line, path, text: found }: CamtValue, rule: string): null {
  const at = path();
  const name = at.slice(at.lastIndexOf('/') + 1);
  state.faults.add({ message: `${name} ${rule}: «${found.slice(0, 60)}».`, line, element: at });
  return null;
}

/** A date is a day or an instant. */
function date(where: Put<IsoDate>): CamtElement {
  return element({ Dt: day(where), DtTm: instant(where) });
}

/** An account is an IBAN or another number. */
function accountId(where: Put<string>): CamtElement {
  return element({ Id: element({ IBAN: account(where), Othr: element({ Id: account(where) }) }) });
}

/** Limit for repeated elements. */
const MOST = 1000;

function many(listOf: (state: CamtState) => string[]): CamtElement {
  return leaf((state, value) => {
    const list = listOf(state);
    if (value.text === '') return;
    if (list.length >= MOST) fault(state, value, `er der mer enn ${MOST} ganger`);
    else list.push(value.text);
  });
}

const REMITTANCE = element(
  {
    CdtrRefInf: element({ Ref: text((s, take) => take(s.remittance, 'reference')) }),
    RfrdDocInf: element({ Nb: many((s) => s.remittance.numbers) }),
    RfrdDocAmt: element({ RmtdAmt: amount((s, take) => take(s.remittance, 'amount')) }),
  },
  {
    open: (s) => void (s.remittance = new RemittanceDraft()),
    close: (s, value) => {
      if (s.detail.remittances.length >= MOST) fault(s, value, `er der mer enn ${MOST} ganger`);
      else s.detail.remittances.push(s.remittance);
    },
  },
);

const PAYER_NAME = text((s, take) => take(s.detail, 'payer'));

const DETAIL = element(
  {
    Refs: element({
      AcctSvcrRef: text((s, take) => take(s.detail, 'accountServicerReference')),
      TxId: text((s, take) => take(s.detail, 'transactionId')),
      UETR: text((s, take) => take(s.detail, 'uetr')),
    }),
    Amt: amount((s, take) => take(s.detail, 'amount')),
    CdtDbtInd: direction((s, take) => take(s.detail, 'direction')),
    AmtDtls: element({
      InstdAmt: element({ Amt: amount((s, take) => take(s.detail, 'instructedAmount')) }),
      TxAmt: element({ Amt: amount((s, take) => take(s.detail, 'transactionAmount')) }),
    }),
    RltdPties: element({
      // Since version 08 the party is in Pty.
      Dbtr: element({ Nm: PAYER_NAME, Pty: element({ Nm: PAYER_NAME }) }),
      DbtrAcct: accountId((s, take) => take(s.detail, 'payerAccount')),
    }),
    RmtInf: element({ Ustrd: many((s) => s.detail.unstructured), Strd: REMITTANCE }),
    AddtlTxInf: text((s, take) => take(s.detail, 'additional')),
  },
  {
    open: (s, line) => void (s.detail = new DetailDraft(line)),
    close: (s) => s.onDetail(),
  },
);

const BATCH = element(
  {
    NbOfTxs: text((s, take) => take(s.batch, 'saidCount')),
    TtlAmt: amount((s, take) => take(s.batch, 'saidAmount')),
  },
  { open: (s) => void (s.batch.isBatch = true) },
);

const STATUS = text((s, take) => take(s.entry, 'status'));

const ENTRY = element(
  {
    Amt: amount((s, take) => take(s.entry, 'amount')),
    CdtDbtInd: direction((s, take) => take(s.entry, 'direction')),
    RvslInd: flag((s, take) => take(s.entry, 'reversal')),
    // Up to version 03 the status is text; later it is a code or the bank's own word.
    Sts: element({ Cd: STATUS, Prtry: STATUS }, { close: STATUS.close }),
    BookgDt: date((s, take) => take(s.entry, 'bookingDate')),
    ValDt: date((s, take) => take(s.entry, 'valueDate')),
    AcctSvcrRef: text((s, take) => take(s.entry, 'reference')),
    NtryDtls: element(
      { Btch: BATCH, TxDtls: DETAIL },
      {
        open: (s) => {
          s.batch = new BatchDraft();
          s.entry.batches.push(s.batch);
        },
      },
    ),
    AddtlNtryInf: text((s, take) => take(s.entry, 'additional')),
  },
  {
    open: (s, line) => void (s.entry = new EntryDraft(line)),
    close: (s) => s.onEntry(),
  },
);

function totals(of: 'all' | 'credits' | 'debits', name: string): CamtElement {
  return element(
    {
      NbOfNtries: text((s, take) => take(s.totals, 'count')),
      Sum: text((s, take) => take(s.totals, 'sum')),
      // The first is the form up to version 02, the second the later one.
      TtlNetNtryAmt: text((s, take) => take(s.totals, 'net')),
      CdtDbtInd: direction((s, take) => take(s.totals, 'netDirection')),
      TtlNetNtry: element({
        Amt: text((s, take) => take(s.totals, 'net')),
        CdtDbtInd: direction((s, take) => take(s.totals, 'netDirection')),
      }),
    },
    {
      open: (s, line) => {
        s.totals = new SaidTotals(line, `TxsSummry/${name}`);
        s.statement[of] = s.totals;
      },
    },
  );
}

function pages(of: (state: CamtState) => PagesDraft): CamtElement {
  return element({
    PgNb: text((s, take) => take(of(s), 'number')),
    LastPgInd: flag((s, take) => take(of(s), 'isLast')),
  });
}

const STATEMENT_PAGES = pages((s) => s.statement.pages);

const STATEMENT = element(
  {
    CreDtTm: instant((s, take) => take(s.statement, 'created')),
    StmtPgntn: STATEMENT_PAGES,
    NtfctnPgntn: STATEMENT_PAGES,
    Acct: element(
      {
        ...Object.fromEntries(accountId((s, take) => take(s.statement, 'account')).children),
        Ccy: text((s, take) => take(s.statement, 'currency')),
      },
      { open: (s, line) => void (s.statement.accountLine = line) },
    ),
    Bal: element(
      {
        Tp: element({ CdOrPrtry: element({ Cd: text((s, take) => take(s.balance, 'code')) }) }),
        Amt: amount((s, take) => take(s.balance, 'amount')),
        CdtDbtInd: direction((s, take) => take(s.balance, 'direction')),
      },
      {
        open: (s, line) => {
          s.balance = new BalanceDraft(line);
          s.statement.balances.push(s.balance);
        },
      },
    ),
    TxsSummry: element({
      TtlNtries: totals('all', 'TtlNtries'),
      TtlCdtNtries: totals('credits', 'TtlCdtNtries'),
      TtlDbtNtries: totals('debits', 'TtlDbtNtries'),
    }),
    Ntry: ENTRY,
  },
  {
    open: (s, line) => void (s.statement = new StatementDraft(line)),
    close: (s) => s.onStatement(),
  },
);

const HEADER = element({ MsgPgntn: pages((s) => s.pages) });

/** The root elements: one for notifications, one for statements. */
export const CAMT_ROOTS: Readonly<Record<'CAMT054' | 'CAMT053', CamtElement>> = {
  CAMT054: element({
    Document: element({
      BkToCstmrDbtCdtNtfctn: element({ GrpHdr: HEADER, Ntfctn: STATEMENT }),
    }),
  }),
  CAMT053: element({
    Document: element({ BkToCstmrStmt: element({ GrpHdr: HEADER, Stmt: STATEMENT }) }),
  }),
};
