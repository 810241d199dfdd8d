import type { IsoDate } from '../date.ts';
import { DELIVERY_TYPE_NAMES, type DeliveryStatus } from '../delivery/delivery.schema.ts';
import type { EInvoiceVerdict } from '../einvoice/einvoice-duty.ts';
import { lineNet } from '../invoice/invoice.totals.ts';
import { unitName } from '../invoice/unit-names.ts';
import { ore } from '../money.ts';
import { treatmentOf, type VatRate, type VatTreatment } from '../vat-treatment.ts';
import { restOf, type BookDocument } from './figures.ts';
import {
  day,
  judgedOn,
  money,
  number,
  text,
  type Cell,
  type Sheet,
  type TableSource,
} from './table.ts';

const DELIVERY_WORDS: Readonly<Record<DeliveryStatus, string>> = {
  PENDING: 'venter',
  QUEUED: 'lagt i kø',
  SENT: 'utsendt',
  FAILED: 'feilet',
};

const VERDICT_WORDS: Readonly<Record<EInvoiceVerdict, string>> = {
  EHF: 'EHF',
  RECIPIENT_CANNOT: 'Kunne ikke motta',
  NO_ANSWER: 'Uten svar',
  OTHER_WAY: 'Annen måte',
};

/** Amounts without VAT, or of VAT, have a column for each of these. */
type Group = 25 | 15 | 12 | 'EXEMPT' | 'EXPORT' | 'OUTSIDE';

/** The column of a treatment; 6 % was the rate of 12 % for a time. */
function groupOf(treatment: VatTreatment, rate: VatRate): Group {
  if (rate === 25 || rate === 15) return rate;
  if (rate > 0) return 12;
  if (treatment === 'EXPORT') return 'EXPORT';
  return treatment === 'EXEMPT' || treatment === 'REVERSE' ? 'EXEMPT' : 'OUTSIDE';
}

/** @param vat is filled for `vatSheet`, so that documents are read once less */
export function documentSheet(source: TableSource, vat: VatSums): Sheet {
  const { einvoice = false } = source.settings;
  return {
    name: 'Fakturaer',
    summed: 'Total',
    columns: [
      number('Nummer'),
      text('Type', 11),
      number('Gjelder nummer', 15),
      day('Fakturadato'),
      day('Forfall'),
      day('Levert'),
      number('Kundenr'),
      text('Kunde', 30),
      text('Orgnr', 11),
      text('Referanse', 18),
      money('Grunnlag 25 %'),
      money('Grunnlag 15 %'),
      money('Grunnlag 12 %'),
      money('Fritatt'),
      money('Utførsel'),
      money('Utenfor loven'),
      money('Mva 25 %'),
      money('Mva 15 %'),
      money('Mva 12 %'),
      money('Netto'),
      money('Mva'),
      money('Total'),
      money('Betalt'),
      money('Kreditert'),
      money('Utestående'),
      day('Betalt dato'),
      text('Status', 15),
      text('Levering', 17),
      text('KID', 27),
      text('Konto', 13),
      ...(einvoice ? [text('E-faktura', 18)] : []),
    ],
    async *rows() {
      const asOf = judgedOn(source);
      for await (const documents of source.documents()) {
        for (const document of documents) addVat(vat, document);
        yield documents.map((document) => documentRow(document, asOf, einvoice));
      }
    },
  };
}

function documentRow(document: BookDocument, asOf: IsoDate, einvoice: boolean): Cell[] {
  const { kind, number: own, customer, subtotals, deliveryType, deliveryStatus } = document;
  const isInvoice = kind === 'INVOICE';
  const sign = isInvoice ? 1 : -1;
  const sum = (group: Group, column: 'net' | 'vat') =>
    ore(
      subtotals.reduce(
        (total, part) =>
          groupOf(part.vatTreatment, part.vatRate) === group ? total + sign * part[column] : total,
        0,
      ),
    );
  const delivery = DELIVERY_TYPE_NAMES[deliveryType];
  return [
    own,
    isInvoice ? 'Faktura' : 'Kreditnota',
    document.creditsNumber,
    document.issueDate,
    isInvoice ? document.dueDate : null,
    document.deliveryDate,
    customer.customerNumber,
    customer.name,
    customer.orgNumber,
    document.reference,
    sum(25, 'net'),
    sum(15, 'net'),
    sum(12, 'net'),
    sum('EXEMPT', 'net'),
    sum('EXPORT', 'net'),
    sum('OUTSIDE', 'net'),
    sum(25, 'vat'),
    sum(15, 'vat'),
    sum(12, 'vat'),
    sign * document.net,
    sign * document.vat,
    sign * document.gross,
    isInvoice ? document.paid : null,
    isInvoice ? document.credited : null,
    isInvoice ? restOf(document) : null,
    document.paidOn,
    statusOf(document, asOf),
    deliveryStatus === null ? delivery : `${delivery}, ${DELIVERY_WORDS[deliveryStatus]}`,
    document.kid,
    document.account,
    ...(einvoice ? [document.verdict && VERDICT_WORDS[document.verdict]] : []),
  ];
}

/** The status on the last day of the period. */
function statusOf(document: BookDocument, asOf: IsoDate): string {
  const { kind, isCancelled, dueDate, paid, credited } = document;
  if (kind === 'CREDIT_NOTE') return 'Kreditnota';
  if (isCancelled) return 'Kansellert';
  if (restOf(document) === 0 && paid + credited > 0) return 'Betalt';
  if (dueDate < asOf) return 'Forfalt';
  if (paid > 0) return 'Delvis betalt';
  return credited > 0 ? 'Delvis kreditert' : 'Registrert';
}

export function lineSheet(source: TableSource): Sheet {
  return {
    name: 'Linjer',
    summed: 'Netto',
    columns: [
      number('Nummer'),
      number('Linje', 7),
      text('Vare', 14),
      text('Beskrivelse', 40),
      number('Antall'),
      text('Enhet', 9),
      money('Pris'),
      money('Netto'),
      number('Sats', 7),
      text('Mva-kode', 10),
      text('Inntektskonto', 14),
    ],
    async *rows() {
      for await (const documents of source.documents()) {
        yield documents.flatMap((document) => linesOf(document, source));
      }
    },
  };
}

function linesOf({ kind, number: own, lines }: BookDocument, { settings }: TableSource): Cell[][] {
  const sign = kind === 'INVOICE' ? 1 : -1;
  return lines.map((line, index) => [
    own,
    index + 1,
    line.productNumber,
    line.description,
    sign * line.quantity,
    line.unit === null ? null : unitName(line.unit),
    line.netUnitAmount,
    sign * lineNet(line),
    line.vatRate,
    treatmentOf(line.vatTreatment).saftCode,
    settings.accounts.income[line.vatTreatment],
  ]);
}

interface VatOfTerm {
  readonly term: string;
  readonly treatment: VatTreatment;
  readonly rate: VatRate;
  net: number;
  vat: number;
}

/** By term, code and rate. */
export type VatSums = Map<string, VatOfTerm>;

/** Credit notes belong to the term in which they are issued. */
export function vatSheet(sums: VatSums): Sheet {
  return {
    name: 'Mva',
    summed: 'Mva',
    columns: [
      text('Termin', 16),
      text('Mva-kode', 10),
      text('Tekst', 28),
      money('Grunnlag'),
      number('Sats', 7),
      money('Mva'),
    ],
    async *rows() {
      yield [...sums]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([, { term, treatment, rate, net, vat }]): Cell[] => {
          const { saftCode, label } = treatmentOf(treatment);
          return [term, saftCode, label, ore(net), rate, ore(vat)];
        });
    },
  };
}

function addVat(sums: VatSums, { kind, issueDate, subtotals }: BookDocument): void {
  const sign = kind === 'INVOICE' ? 1 : -1;
  const year = issueDate.slice(0, 4);
  const term = Math.ceil(Number(issueDate.slice(5, 7)) / 2);
  for (const { vatTreatment: treatment, vatRate: rate, net, vat } of subtotals) {
    const key = `${year}-${term} ${treatmentOf(treatment).saftCode.padStart(2)} ${rate}`;
    const sum = sums.get(key) ?? {
      term: `${term}. termin ${year}`,
      treatment,
      rate,
      net: 0,
      vat: 0,
    };
    sum.net += sign * net;
    sum.vat += sign * vat;
    sums.set(key, sum);
  }
}
