import {
  XmlFault,
  XmlReader,
  type XmlFaultReason,
  type XmlTag,
} from '../../../platform/xml/xml-reader.ts';
import type { FaultList } from './bank-file-fault.ts';
import {
  BalanceDraft,
  BatchDraft,
  DetailDraft,
  EntryDraft,
  PagesDraft,
  RemittanceDraft,
  SaidTotals,
  StatementDraft,
  type Detail,
} from './camt-drafts.ts';
import { CAMT_ROOTS, type CamtElement, type CamtState } from './camt-elements.ts';
import { KRONER, findPayments, readAmount, signed, toDetail, whyIgnored } from './camt-entry.ts';
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

/** Reads camt.054 and camt.053 of ISO 20022, versions 02 to 13; elements are matched by local name (BANK-12). */
export class CamtReader implements CamtState {
  readonly faults: FaultList;
  readonly pages = new PagesDraft();
  statement = new StatementDraft(0);
  balance = new BalanceDraft(0);
  totals = new SaidTotals(0, '');
  entry = new EntryDraft(0);
  batch = new BatchDraft();
  detail = new DetailDraft(0);
  remittance = new RemittanceDraft();
  readonly #findings: Findings;
  readonly #decoder: XmlDecoder;
  readonly #xml: XmlReader;
  #format: 'CAMT054' | 'CAMT053' = 'CAMT054';
  #namespace = '';
  /** The open elements from the root; null for skipped ones. */
  readonly #open: {
    readonly name: string;
    readonly element: CamtElement | null;
    currency: string | null;
  }[] = [];
  #text = '';
  #details: Detail[] = [];
  #sums = new CamtSums();
  #repeatOf = createRepeats();
  #statements = 0;

  constructor(faults: FaultList, findings: Findings) {
    this.faults = faults;
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
    this.faults.throwIfAny();
    const message = 'Filen har ingen melding om en konto.';
    if (this.#statements === 0) this.faults.stop({ message, line: 1, element: 'Document' });
    return this.#format;
  }

  onDetail(): void {
    const detail = toDetail(this.detail, this.entry.direction, this.faults);
    this.batch.count += 1;
    this.batch.sum += detail.amount ?? 0;
    this.#details.push(detail);
    if (this.#details.length > MOST_ENTRIES) refuseTooMany(this.faults, detail.line);
  }

  onEntry(): void {
    const { entry: draft, statement, faults } = this;
    const details = this.#details;
    this.#details = [];
    const { amount: written, line } = draft;
    const { direction, status } = draft;
    const required = {
      Amt: written,
      'Amt/@Ccy': written?.currency,
      CdtDbtInd: direction,
      Sts: status,
    };
    for (const [element, value] of Object.entries(required)) {
      if (value) continue;
      faults.add({ message: `Posten mangler ${element}.`, line, element: `Ntry/${element}` });
    }
    if (!written?.currency || !direction || status === null) return;
    this.#sums.add(draft);
    const amount = written.currency === KRONER ? readAmount(written, faults) : null;
    const reason = whyIgnored(draft);
    if (reason) this.#findings.ignore(reason);
    if (reason || amount === null) return;
    const date = draft.bookingDate ?? draft.valueDate ?? statement.created;
    const message = 'Posten har verken bokføringsdato eller valuteringsdato.';
    if (date === null) faults.add({ message, line, element: 'Ntry/BookgDt' });
    const { account } = statement;
    if (account === null) {
      const missing = 'Kontoen mangler foran posten.';
      faults.add({ message: missing, line, element: 'Acct/Id' });
    }
    if (account === null || date === null) return;
    this.#findings.addAccount(account, statement.accountLine);
    const whole = {
      draft,
      statement,
      account,
      date,
      amount: signed(amount, draft.direction),
      details,
    };
    findPayments(whole, this.#findings, this.#repeatOf);
  }

  onStatement(): void {
    const isPage = [this.pages, this.statement.pages].some(
      ({ number, isLast }) => isLast === false || Number(number ?? 1) !== 1,
    );
    this.#statements += 1;
    if (this.faults.isEmpty) this.#sums.check(this.statement, isPage, this.faults);
    this.#sums = new CamtSums();
    this.#repeatOf = createRepeats();
  }

  #onOpen({ local: name, uri, attributes }: XmlTag): void {
    if (this.#open.length === 0) this.#takeRoot(name, uri);
    const parent = this.#open.at(-1) ?? { element: CAMT_ROOTS[this.#format] };
    const isKnown = uri === this.#namespace;
    const element = (isKnown && parent.element?.children.get(name)) || null;
    this.#open.push({ name, element, currency: attributes['Ccy']?.value ?? null });
    this.#text = '';
    element?.open?.(this, this.#xml.line);
  }

  #onClose(): void {
    const { element, currency } = this.#open.at(-1) ?? {};
    if (element?.close) {
      const value = {
        text: this.#text.trim(),
        currency: currency ?? null,
        line: this.#xml.line,
        path: this.#path,
      };
      if (value.text.length > LONGEST_VALUE) this.#stop('Teksten i elementet er for lang.');
      element.close(this, value);
    }
    this.#text = '';
    this.#open.pop();
  }

  /** The current path below Ntfctn or Stmt. */
  readonly #path = (): string => {
    const path = this.#open.slice(3).map(({ name }) => name);
    return path.length === 0 ? (this.#open.at(-1)?.name ?? '') : path.join('/');
  };

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

  #stop(message: string, element = this.#path()): never {
    return this.faults.stop({ message, line: this.#xml.line, element });
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof XmlFault)) throw error;
      const { reason, line } = error;
      this.faults.stop({ message: XML_FAULTS[reason], line, element: this.#path() || undefined });
    }
  }
}
