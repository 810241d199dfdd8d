import { formatDate } from '../../../domain/date.ts';
import { formatSum } from '../../../domain/money.ts';
import type { PortalInvoice } from '../../../domain/portal/portal.schema.ts';
import { STATE_NAMES } from '../../../domain/portal/portal-state.ts';
import { SELLER_STYLE, sellerFoot, sellerHead, sellerMessage } from '../../company/seller-page.ts';
import { linkPages } from '../../platform/http/link-pages.ts';
import { markup, type Markup } from '../../platform/mail/layout.ts';
import type { ShownInvoice } from '../portal.service.ts';
import { othersPart, type Others } from './others-part.ts';

/** The pages of links to invoices: read on a phone first, so what is to be paid comes first. */
export const PORTAL_PAGES = linkPages({
  title: 'Faktura',
  style: `${SELLER_STYLE}
.OVERDUE{border-color:var(--red);color:var(--red)}
.pay dt{color:var(--soft);font-size:.9375rem}
.pay{display:grid;gap:12px;margin-top:12px}
.pay dd{font-size:1.375rem;line-height:1.35;font-weight:600;font-variant-numeric:tabular-nums;-webkit-user-select:all;user-select:all}
.pay .small dd{font-size:1rem}
.account span{margin-left:.25em}
section>p.warning{margin-top:16px;color:var(--ink)}
form+form button{background:none;border:1px solid var(--accent);color:var(--accent)}
table{overflow-wrap:normal}
td small{display:block;color:var(--soft);white-space:normal}
tbody th a{display:inline-block;padding:4px 0}
.turn{display:flex;justify-content:space-between;gap:16px;margin-top:12px}
.turn a{padding:8px 0}
`,
});

interface PageOfInvoice extends ShownInvoice {
  /** The customer's other invoices; null on the page of one of them. */
  readonly others: Others | null;
  /** The path of the link's own page, from the page of another invoice. */
  readonly home: string | null;
}

/** An invoice as its customer sees it (PORT-7). */
export function invoicePage({ portal, logo, others, home }: PageOfInvoice): string {
  const { seller } = portal;
  const content = markup`${sellerHead(seller, logo)}${top(portal)}
${howToPay(portal)}${sellerMessage(seller, portal.message)}${documentsOf(portal)}${others === null ? null : othersPart(portal.others, others)}${
    home === null
      ? null
      : markup`<p class="turn"><a href="${home}" rel="noreferrer">Tilbake til alle fakturaene</a></p>\n`
  }`;
  return PORTAL_PAGES.frame(content, sellerFoot(seller));
}

function kroner(amount: number): string {
  return `${formatSum(amount)}\u00A0kr`;
}

function top(portal: PortalInvoice): Markup {
  const { invoiceNumber, state, toPay, grossAmount, dueDate, issueDate, buyerName } = portal;
  const due = markup`<div><dt>Forfall</dt><dd>${formatDate(dueDate)}</dd></div>`;
  return markup`<section class="top"><header><h1>Faktura ${invoiceNumber}</h1><span class="state ${state}">${STATE_NAMES[state]}</span></header>
<dl class="sums"><div><dt>${toPay > 0 ? 'Å betale' : 'Beløp'}</dt><dd>${kroner(toPay > 0 ? toPay : grossAmount)}</dd></div>${toPay > 0 ? due : null}</dl>
${explained(portal).map((sentence) => markup`<p>${sentence}</p>\n`)}<p class="lead">Til <bdi>${buyerName}</bdi>, ${formatDate(issueDate)}</p></section>`;
}

/** Says how what is to be paid comes of the sum of the invoice. */
function explained(portal: PortalInvoice): string[] {
  const { state, toPay, grossAmount, creditedAmount, paidAmount, reminderAmount } = portal;
  const settled = [
    ...(creditedAmount > 0 ? [`${kroner(creditedAmount)} er kreditert`] : []),
    ...(paidAmount > 0 ? [`${kroner(paidAmount)} er betalt`] : []),
  ];
  if (toPay <= 0) return ['Du trenger ikke å betale noe.'];
  return [
    ...(settled.length > 0 ? [`Av ${kroner(grossAmount)} ${settled.join(', og ')}.`] : []),
    ...(reminderAmount > 0
      ? [
          state === 'PAID'
            ? 'Det som gjenstår, er purregebyr og renter.'
            : `Purregebyr og renter er ${kroner(reminderAmount)} av beløpet.`,
        ]
      : []),
  ];
}

function howToPay(portal: PortalInvoice): Markup | null {
  const { bankAccountNumber, iban, paymentReference, referenceIsKid, toPay, dueDate } = portal;
  if (bankAccountNumber === null) return null;
  const reference = referenceIsKid ? 'KID' : 'Melding';
  return markup`<section><h2>Slik betaler du</h2>
<dl class="pay"><div><dt>Kontonummer</dt><dd class="account">${accountOf(bankAccountNumber)}</dd></div>
${paymentReference === null ? null : markup`<div><dt>${reference}</dt><dd>${paymentReference}</dd></div>\n`}<div><dt>Beløp</dt><dd>${formatSum(toPay)}</dd></div>
<div><dt>Forfall</dt><dd>${formatDate(dueDate)}</dd></div>
<div class="small"><dt>IBAN, fra utlandet</dt><dd>${iban}</dd></div></dl>
<p class="warning">Kontonummeret på en sendt faktura endres aldri. Står det et annet kontonummer i en e-post, så ring oss før du betaler.</p></section>\n`;
}

/** An account number to read in three parts, and to copy as the eleven digits that every bank takes. */
function accountOf(digits: string): Markup {
  return markup`${digits.slice(0, 4)}<span>${digits.slice(4, 6)}</span><span>${digits.slice(6)}</span>`;
}

const TYPES: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'application/xml': 'EHF (XML)',
};

function documentsOf({ documents }: PortalInvoice): Markup {
  const rows = documents.map(({ name, mediaType, path, kind }) => {
    const type = kind === 'ATTACHMENT' ? 'Vedlegg' : (TYPES[mediaType] ?? '');
    return markup`<li><a href="${path}" rel="noreferrer">${name}<span>${type}</span></a></li>\n`;
  });
  return markup`<section><h2>Dokumenter</h2>\n<ul>\n${rows}</ul></section>\n`;
}
