import type { IsoDate } from '../../../../domain/date.ts';
import {
  XmlFault,
  XmlReader,
  type XmlFaultReason,
  type XmlTag,
} from '../../../platform/xml/xml-reader.ts';
import type { FaultList } from './bank-file-fault.ts';
import {
  KRONER,
  findPayments,
  readAmount,
  readBatch,
  readDetail,
  readEntry,
  signed,
  whyIgnored,
  type Batch,
  type Detail,
} from './camt-entry.ts';
import { CamtPart, KNOWN_ELEMENTS, shortPath, type KnownElement } from './camt-part.ts';
import { CamtSums } from './camt-sums.ts';
import { MOST_ENTRIES, refuseTooMany, type Findings } from './findings.ts';
import { createRepeats } from './identity.ts';
import { XmlDecoder } from './xml-decoder.ts';

const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:camt\.05([34])\.001\.(\d\d)$/;
const FIRST_VERSION = 2;
const LAST_VERSION = 13;
/** Length limit of a known element; ISO 20022 allows at most 500. */
const LONGEST_VALUE = 2000;
/** Length limit of any element, including the banks' own. */
const LONGEST_TEXT = 100_000;
const FORMATS = { '3': 'CAMT053', '4': 'CAMT054' } as const;

const XML_FAULTS: Readonly<Record<XmlFaultReason, string>> = {
  NOT_WELL_FORMED: 'Filen er ikke hel og velformet XML.',
  DOCUMENT_TYPE: 'Filen har en dokumenttype (DOCTYPE eller ENTITY), og det tas ikke imot.',
  TOO_DEEP: 'Filen har for mange elementer inni hverandre.',
  TOO_LONG: 'Filen har et navn, et attributt eller en tekst som er for lang.',
  ILLEGAL_CHARACTER: 'Filen har et tegn som ikke er tillatt i XML.',
};

interface Account {
  readonly number: string | null;
  readonly currency: string | null;
  readonly line: number;
}

/** Reads camt.054 and camt.053 of ISO 20022, versions 02 to 13; elements are matched by local name (BANK-12). */
export class CamtReader {
  readonly #faults: FaultList;
  readonly #findings: Findings;
  readonly #decoder: XmlDecoder;
  readonly #xml: XmlReader;
  #format: 'CAMT054' | 'CAMT053' = 'CAMT054';
  #namespace = '';
  /** The open elements from the root. */
  readonly #open: {
    readonly path: string;
    readonly known: KnownElement | undefined;
    readonly currency: string | null;
  }[] = [];
  /** The open parts among them. */
  readonly #parts: CamtPart[] = [];
  #text = '';
  /** Whether the message is sent in pages. */
  #isPage = false;
  #statements = 0;
  // The open statement:
  #account: Account | null = null;
  #created: IsoDate | null = null;
  #sums = new CamtSums();
  #repeatOf = createRepeats();
  // The open entry:
  #details: Detail[] = [];
  #batches: Batch[] = [];

  constructor(faults: FaultList, findings: Findings) {
    this.#faults = faults;
    this.#findings = findings;
    this.#decoder = new XmlDecoder(faults);
    const handler = {
      onOpen: (tag: XmlTag) => this.#onOpen(tag),
      onText: (text: string) => void (this.#text += text),
      onClose: () => this.#onClose(),
    };
    this.#xml = new XmlReader(handler, LONGEST_TEXT);
  }

  /** @throws BankFileFault */
  write(bytes: Uint8Array): void {
    this.#guard(() => this.#xml.write(this.#decoder.decode(bytes, this.#xml.line)));
  }

  /** @throws BankFileFault */
  end(): 'CAMT054' | 'CAMT053' {
    this.#guard(() => {
      this.#xml.write(this.#decoder.end(this.#xml.line));
      this.#xml.end();
    });
    this.#faults.throwIfAny();
    const message = 'Filen har ingen melding om en konto.';
    if (this.#statements === 0) this.#faults.stop({ message, line: 1, element: 'Document' });
    return this.#format;
  }

  #onOpen({ local: name, uri, attributes }: XmlTag): void {
    const parent = this.#open.at(-1);
    if (!parent) this.#takeRoot(name, uri);
    const path = parent ? `${parent.path}/${name}` : name;
    const isKnown = uri === this.#namespace && (!parent || parent.known !== undefined);
    const known = isKnown ? KNOWN_ELEMENTS[this.#format].get(path) : undefined;
    this.#open.push({ path, known, currency: attributes['Ccy']?.value ?? null });
    if (known?.part) this.#parts.push(new CamtPart(path, this.#xml.line, this.#faults));
    this.#text = '';
  }

  #onClose(): void {
    const { path = '', known, currency = null } = this.#open.at(-1) ?? {};
    const text = this.#text.trim();
    if (known?.field) {
      if (text.length > LONGEST_VALUE) this.#stop('Teksten i elementet er for lang.');
      this.#parts.at(-1)?.add(known.field, { text, currency, line: this.#xml.line, path });
    }
    this.#open.pop();
    this.#text = '';
    const part = known?.part ? this.#parts.pop() : undefined;
    if (part && known?.part) this.#takePart(known.part, part);
  }

  #takePart(name: NonNullable<KnownElement['part']>, part: CamtPart): void {
    switch (name) {
      case 'GrpHdr':
        this.#isPage = isPage(part, 'MsgPgntn');
        break;
      case 'Stmt/Acct':
        this.#takeAccount(part);
        break;
      case 'Stmt/Ntry/NtryDtls/TxDtls':
        this.#details.push(readDetail(part, this.#faults));
        if (this.#details.length > MOST_ENTRIES) refuseTooMany(this.#faults, part.line);
        break;
      case 'Stmt/Ntry/NtryDtls':
        this.#batches.push(readBatch(part, this.#details.length));
        break;
      case 'Stmt/Ntry':
        this.#takeEntry(part, this.#details, this.#batches);
        this.#details = [];
        this.#batches = [];
        break;
      case 'Stmt':
        this.#takeStatement(part);
        break;
      default:
        this.#parts.at(-1)?.addPart(part);
    }
  }

  #takeAccount(part: CamtPart): void {
    const { line } = part;
    if (this.#account) {
      this.#faults.add({ message: 'Acct kan bare være der én gang.', line, element: 'Acct' });
    }
    this.#account = { number: part.account('Id'), currency: part.text('Ccy'), line };
    this.#created = this.#parts.at(-1)?.instant('CreDtTm') ?? null;
  }

  #takeEntry(part: CamtPart, details: readonly Detail[], batches: readonly Batch[]): void {
    const entry = readEntry(part, details, batches);
    const { line, amount: written, direction, status } = entry;
    const required = {
      Amt: written,
      'Amt/@Ccy': written?.currency,
      CdtDbtInd: direction,
      Sts: status,
    };
    for (const [element, value] of Object.entries(required)) {
      if (!value) this.#miss(`Posten mangler ${element}.`, line, `Ntry/${element}`);
    }
    if (!written?.currency || !direction || status === null) return;
    this.#sums.add(entry);
    const amount = written.currency === KRONER ? readAmount(written, this.#faults) : null;
    const reason = whyIgnored(entry);
    if (reason) this.#findings.ignore(reason);
    if (reason || amount === null) return;
    const date = entry.date ?? this.#created;
    const noDate = 'Posten har verken bokføringsdato eller valuteringsdato.';
    if (date === null) this.#miss(noDate, line, 'Ntry/BookgDt');
    const account = this.#account?.number ?? null;
    if (account === null) this.#miss('Kontoen mangler foran posten.', line, 'Acct/Id');
    if (account === null || date === null) return;
    this.#findings.addAccount(account, this.#account?.line ?? line);
    const booked = { ...entry, account, date, amount: signed(amount, direction) };
    findPayments(booked, this.#findings, this.#repeatOf);
  }

  #miss(message: string, line: number, element: string): void {
    this.#faults.add({ message, line, element });
  }

  #takeStatement(part: CamtPart): void {
    const isPaged = isPage(part, 'StmtPgntn', 'NtfctnPgntn') || this.#isPage;
    const currency = this.#account?.currency ?? null;
    this.#sums.check(part, { isPage: isPaged, currency }, this.#faults);
    this.#statements += 1;
    this.#account = null;
    this.#created = null;
    this.#sums = new CamtSums();
    this.#repeatOf = createRepeats();
  }

  #takeRoot(name: string, uri: string): void {
    const [, kind, version] = NAMESPACE.exec(uri) ?? [];
    if (name !== 'Document' || (kind !== '3' && kind !== '4')) {
      const what = uri === '' ? `<${name}>` : uri;
      this.#stop(`Filen er ${what.slice(0, 100)}, ikke camt.054 eller camt.053.`, name);
    }
    if (Number(version) < FIRST_VERSION || Number(version) > LAST_VERSION) {
      const known = `versjon ${String(FIRST_VERSION).padStart(2, '0')} til ${LAST_VERSION} leses`;
      this.#stop(`camt.05${kind} versjon ${version} er ukjent: ${known}.`, name);
    }
    this.#format = FORMATS[kind];
    this.#namespace = uri;
  }

  /** The current path below Ntfctn or Stmt. */
  get #path(): string {
    return shortPath(this.#open.at(-1)?.path ?? '');
  }

  #stop(message: string, element = this.#path): never {
    return this.#faults.stop({ message, line: this.#xml.line, element });
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof XmlFault)) throw error;
      const { reason, line } = error;
      this.#faults.stop({ message: XML_FAULTS[reason], line, element: this.#path || undefined });
    }
  }
}

/** Whether a message or statement is only one page of several. */
function isPage(part: CamtPart, ...pagination: string[]): boolean {
  const number = part.text(...pagination.map((name) => `${name}/PgNb`));
  const isLast = part.flag(...pagination.map((name) => `${name}/LastPgInd`));
  return isLast === false || Number(number ?? 1) !== 1;
}
