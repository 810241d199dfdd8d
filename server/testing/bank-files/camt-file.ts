/** A transaction of an entry. The file omits properties that are absent here. */
export interface CamtFileDetail {
  /** The amount as written in the file, such as '1250.00'. */
  readonly amount?: string;
  readonly currency?: string;
  /** Since version 04. */
  readonly direction?: 'CRDT' | 'DBIT';
  readonly reference?: string;
  readonly transactionId?: string;
  readonly uetr?: string;
  /** Writes the amount in AmtDtls too; versions from 04 on allow both places. */
  readonly isAmountInDetails?: boolean;
  readonly instructed?: { readonly amount: string; readonly currency: string };
  readonly payer?: string;
  /** 11 digits, or an IBAN. */
  readonly payerAccount?: string;
  readonly texts?: readonly string[];
  readonly kids?: readonly {
    readonly kid?: string;
    readonly amount?: string;
    readonly invoice?: string;
  }[];
  readonly additional?: string;
}

export interface CamtFileEntry {
  readonly amount: string;
  readonly currency?: string;
  readonly direction?: 'CRDT' | 'DBIT';
  readonly reversal?: boolean;
  readonly status?: string;
  /** A date or an instant. The element is omitted when null. */
  readonly date?: string | null;
  readonly valueDate?: string | null;
  readonly reference?: string;
  readonly batch?: { readonly count?: number; readonly total?: string };
  readonly details?: Iterable<CamtFileDetail>;
  readonly additional?: string;
}

export interface CamtFileStatement {
  /** 11 digits, or an IBAN. */
  readonly account?: string;
  readonly currency?: string;
  readonly balances?: readonly { readonly code: string; readonly amount: string }[];
  /** The content of TxsSummry as XML. */
  readonly totals?: string;
  readonly pages?: { readonly number: number; readonly isLast: boolean };
  readonly entries: Iterable<CamtFileEntry>;
}

export interface CamtFile {
  readonly format?: 'CAMT054' | 'CAMT053';
  /** Two digits. */
  readonly version?: string;
  readonly encoding?: string;
  readonly statements: readonly CamtFileStatement[];
}

export const CAMT_ACCOUNT = '86011117947';
const DATE = '2026-11-20';
const INSTANT = '2026-11-20T17:02:11+01:00';

const NAMES = {
  CAMT054: { kind: '4', message: 'BkToCstmrDbtCdtNtfctn', statement: 'Ntfctn' },
  CAMT053: { kind: '3', message: 'BkToCstmrStmt', statement: 'Stmt' },
} as const;

/** The file in pieces. It is valid against the schema of its version when the input is. */
export function* camtPieces(file: CamtFile): Generator<string> {
  const { format = 'CAMT054', version = '02', encoding = 'UTF-8' } = file;
  const { kind, message, statement: name } = NAMES[format];
  const namespace = `urn:iso:std:iso:20022:tech:xsd:camt.05${kind}.001.${version}`;
  yield `<?xml version="1.0" encoding="${encoding}"?>\n<Document xmlns="${namespace}">\n <${message}>\n`;
  yield `  <GrpHdr><MsgId>M-1</MsgId><CreDtTm>${INSTANT}</CreDtTm></GrpHdr>\n`;
  for (const statement of file.statements) {
    yield `  <${name}>\n${statementHead(statement, name)}`;
    for (const entry of statement.entries) yield* entryPieces(entry, Number(version));
    yield `  </${name}>\n`;
  }
  yield ` </${message}>\n</Document>\n`;
}

/** The whole file. */
export function camtFile(file: CamtFile): Buffer {
  return Buffer.from(camtText(file));
}

export function camtText(file: CamtFile): string {
  return [...camtPieces(file)].join('');
}

function statementHead(statement: CamtFileStatement, name: string): string {
  const { account = CAMT_ACCOUNT, currency = 'NOK', balances = [], totals, pages } = statement;
  const { number, isLast } = pages ?? {};
  const place = element('PgNb', String(number)) + element('LastPgInd', String(isLast));
  const page = pages ? element(`${name}Pgntn`, place) : '';
  const parts = [
    `   <Id>S-1</Id>${page}<ElctrncSeqNb>1</ElctrncSeqNb><CreDtTm>${INSTANT}</CreDtTm>`,
    `   <Acct>${accountId(account)}${element('Ccy', currency)}</Acct>`,
    ...balances.map(({ code, amount }) => `   ${balance(code, amount, currency)}`),
    ...(totals === undefined ? [] : [`   <TxsSummry>${totals}</TxsSummry>`]),
  ];
  return `${parts.join('\n')}\n`;
}

function balance(code: string, amount: string, currency: string): string {
  const direction = amount.startsWith('-') ? 'DBIT' : 'CRDT';
  const type = element('Tp', element('CdOrPrtry', element('Cd', code)));
  const money = amountElement(amount.replace('-', ''), currency);
  const when = element('Dt', element('Dt', DATE));
  return element('Bal', type + money + element('CdtDbtInd', direction) + when);
}

function* entryPieces(entry: CamtFileEntry, version: number): Generator<string> {
  const { direction = 'CRDT', status = 'BOOK', currency = 'NOK', reversal, reference } = entry;
  yield `   <Ntry>
    ${amountElement(entry.amount, currency)}${element('CdtDbtInd', direction)}${reversal === undefined ? '' : element('RvslInd', String(reversal))}${element('Sts', version < 4 ? status : element('Cd', status))}
    ${dateElement('BookgDt', entry.date)}${dateElement('ValDt', entry.valueDate)}${optional('AcctSvcrRef', reference)}
    <BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>VCOM</SubFmlyCd></Fmly></Domn></BkTxCd>\n`;
  const { batch, details } = entry;
  if (batch || details) {
    yield '    <NtryDtls>';
    if (batch) {
      const total = batch.total === undefined ? '' : amountElement(batch.total, currency, 'TtlAmt');
      yield element('Btch', optional('NbOfTxs', batch.count?.toString()) + total);
    }
    for (const detail of details ?? []) yield detailText(detail, version);
    yield '</NtryDtls>\n';
  }
  yield `    ${optional('AddtlNtryInf', entry.additional)}\n   </Ntry>\n`;
}

function detailText(detail: CamtFileDetail, version: number): string {
  const { amount, currency = 'NOK', direction, instructed } = detail;
  const isInDetails = version < 4 || detail.isAmountInDetails === true;
  const money = amount === undefined ? '' : amountElement(amount, currency);
  const exchanged = [
    instructed ? element('InstdAmt', amountElement(instructed.amount, instructed.currency)) : '',
    isInDetails && money !== '' ? element('TxAmt', money) : '',
  ].join('');
  const references = [
    optional('AcctSvcrRef', detail.reference),
    element('EndToEndId', 'NOTPROVIDED'),
    optional('UETR', detail.uetr),
    optional('TxId', detail.transactionId),
  ];
  const name = optional('Nm', detail.payer);
  const payer = name && element('Dbtr', version < 8 ? name : element('Pty', name));
  const account =
    detail.payerAccount === undefined ? '' : element('DbtrAcct', accountId(detail.payerAccount));
  return `<TxDtls>
     ${element('Refs', references.join(''))}${isInDetails ? '' : money + optional('CdtDbtInd', direction)}${exchanged === '' ? '' : element('AmtDtls', exchanged)}
     ${payer || account ? element('RltdPties', payer + account) : ''}
     ${remittance(detail)}${optional('AddtlTxInf', detail.additional)}
    </TxDtls>`;
}

function remittance({ texts = [], kids = [] }: CamtFileDetail): string {
  const unstructured = texts.map((text) => element('Ustrd', escaped(text)));
  const structured = kids.map(({ kid, amount, invoice }) => {
    const type = (code: string) => element('Tp', element('CdOrPrtry', element('Cd', code)));
    const document = invoice ? element('RfrdDocInf', type('CINV') + element('Nb', invoice)) : '';
    const money =
      amount === undefined ? '' : element('RfrdDocAmt', amountElement(amount, 'NOK', 'RmtdAmt'));
    const reference = kid ? element('CdtrRefInf', type('SCOR') + element('Ref', kid)) : '';
    return element('Strd', document + money + reference);
  });
  const all = [...unstructured, ...structured].join('');
  return all === '' ? '' : element('RmtInf', all);
}

function accountId(account: string): string {
  const isIban = /^[A-Z]{2}\d\d/.test(account);
  const scheme = element('SchmeNm', element('Cd', 'BBAN'));
  const id = isIban ? element('IBAN', account) : element('Othr', element('Id', account) + scheme);
  return element('Id', id);
}

function dateElement(name: string, date: string | null = DATE): string {
  if (date === null) return '';
  return element(name, element(date.includes('T') ? 'DtTm' : 'Dt', date));
}

function amountElement(amount: string, currency: string, name = 'Amt'): string {
  return `<${name} Ccy="${currency}">${amount}</${name}>`;
}

function optional(name: string, content: string | undefined): string {
  return content === undefined ? '' : element(name, escaped(content));
}

function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
