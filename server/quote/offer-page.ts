import { dayAndTime, formatDate, todayInOslo } from '../../domain/date.ts';
import { formatCounted } from '../../domain/invoice/unit-names.ts';
import { formatSum } from '../../domain/money.ts';
import {
  ACCEPT,
  ACCEPT_AS_CONSUMER,
  DECLINE,
  OFFER_STATE_NAMES,
  priceLabel,
  RIGHT_TO_WITHDRAW,
} from '../../domain/quote/offer-words.ts';
import {
  ANSWER_NAME_LENGTH,
  ANSWER_NOTE_LENGTH,
  type Offer,
} from '../../domain/quote/offer.schema.ts';
import { PRICE_KIND_NAMES } from '../../domain/quote/quote.state.ts';
import { LOGIN_MINUTES } from '../../domain/session/session.schema.ts';
import { SELLER_STYLE, sellerFoot, sellerHead, sellerMessage } from '../company/seller-page.ts';
import { codeField, described, faultOf, linkPages } from '../platform/http/link-pages.ts';
import { markup, type Markup } from '../platform/mail/layout.ts';

/** The pages of links to quotes: read on a phone first, so the price comes first (QUO-37). */
export const OFFER_PAGES = linkPages({
  title: 'Tilbud',
  style: `${SELLER_STYLE}
.EXPIRED,.DECLINED,.WITHDRAWN{border-color:var(--red);color:var(--red)}
.top>p.title{margin-top:10px;color:var(--ink);font-size:1.25rem;line-height:1.3;font-weight:600}
.top>p.jump{margin-top:12px}
.sums div+div dd{font-size:1.25rem;line-height:1.875}
section>p.lines,.news>p{color:var(--ink);font-size:1rem}
.news{margin-top:0;margin-bottom:12px;border-color:var(--red)}
td small,th small{display:block;color:var(--soft)}
tfoot tr>*{color:var(--soft);font-weight:400}
tfoot tr:last-child>*{color:var(--ink);font-weight:600}
tfoot tr:last-child>*{border-top:1px solid #cfcabf}
label small{color:var(--soft)}
textarea{display:block;width:100%;min-height:96px;margin:4px 0 16px;padding:10px 14px;border:1px solid #8a877e;border-radius:10px;background:var(--surface);color:var(--ink);font:inherit}
button{height:auto;min-height:48px;padding:10px 16px;line-height:1.3}
button.plain{background:none;border:1px solid var(--accent);color:var(--accent)}
.agree{display:flex;flex-wrap:wrap;justify-content:space-between;gap:4px 16px;margin:0 0 12px;font-size:1rem}
.agree b{font-size:1.25rem;font-variant-numeric:tabular-nums;white-space:nowrap}
form+p.small{margin-top:12px;color:var(--soft);font-size:.875rem}
@media print{#svar,#avslag,.jump{display:none}}
`,
});

/** The fault of a form, with the texts that were typed into it. */
export interface OfferFault {
  readonly field: 'name' | 'code' | 'reason' | null;
  readonly sentence: string;
  readonly name: string;
  readonly reason: string;
}

/** A quote at its link, beside what only its page shows. */
export interface ShownOffer {
  readonly offer: Offer;
  readonly isPrivate: boolean;
  readonly isByHand: boolean;
  readonly isSellerClosed: boolean;
  readonly logo: Uint8Array | null;
  /** The path of the page. */
  readonly base: string;
  /** Where codes go, for people; null when none is needed. */
  readonly codeHint: string | null;
  /** Whether a code was mailed a moment ago. */
  readonly isCodeSent: boolean;
  readonly fault: OfferFault | null;
}

/** A quote as its customer sees it, with the forms to answer it. */
export function offerPage(shown: ShownOffer): string {
  const { offer, logo, fault, isSellerClosed } = shown;
  const { seller, message, terms } = offer;
  const isOpen = offer.state === 'SENT' && !isSellerClosed;
  const content = markup`${sellerHead(seller, logo)}${fault && news(fault)}${top(offer, isOpen)}
${isOpen ? null : outcome(shown)}${sellerMessage(seller, message)}${linesOf(offer)}${
    terms === null
      ? null
      : markup`<section><h2>Forbehold og vilkår</h2>\n<p class="lines">${terms}</p></section>\n`
  }${documentsOf(offer)}${isOpen ? markup`${acceptPart(shown)}${declinePart(shown)}` : null}`;
  return OFFER_PAGES.frame(content, sellerFoot(seller));
}

/** Says above all else what was wrong: a form is at the foot of a long page. */
function news({ field, sentence }: OfferFault): Markup {
  const way = markup`<p><a href="#${field === 'reason' ? 'avslag' : 'svar'}">Gå til skjemaet</a></p>\n`;
  return markup`<section class="news" role="alert"><p>${sentence}</p>\n${field === null ? null : way}</section>\n`;
}

function kroner(amount: number): string {
  return `${formatSum(amount)}\u00A0kr`;
}

/** Whether the quote tells VAT: a seller who is not registered has none. */
function hasVat({ seller, vatAmount }: Offer): boolean {
  return seller.vatRegistered || vatAmount !== 0;
}

function top(offer: Offer, isOpen: boolean): Markup {
  const { quoteNumber, revision, state, title, priceKind, grossAmount, vatAmount } = offer;
  const price = `${PRICE_KIND_NAMES[priceKind]}.${hasVat(offer) ? ` Av dette er ${kroner(vatAmount)} mva.` : ''}`;
  const version = revision > 1 ? ` Versjon ${revision}.` : '';
  return markup`<section class="top"><header><h1>Tilbud ${quoteNumber}</h1><span class="state ${state}">${OFFER_STATE_NAMES[state]}</span></header>
${title === null ? null : markup`<p class="title">${title}</p>\n`}<dl class="sums"><div><dt>${priceLabel(priceKind, hasVat(offer))}</dt><dd>${kroner(grossAmount)}</dd></div><div><dt>Gyldig til</dt><dd>${formatDate(offer.validUntil)}</dd></div></dl>
<p>${price}</p>
<p class="lead">Til <bdi>${offer.customerName}</bdi>, ${formatDate(offer.issueDate)}.${version}</p>${
    isOpen ? markup`\n<p class="jump"><a href="#svar">Svar på tilbudet</a></p>` : null
  }</section>`;
}

/** Says why a quote cannot be answered. */
function outcome({ offer, isByHand }: ShownOffer): Markup {
  const { state, seller, answeredAt, answeredBy, validUntil } = offer;
  const part = (heading: string, ...sentences: readonly (Markup | string)[]) =>
    markup`<section><h2>${heading}</h2>\n${sentences.map((one) => markup`<p>${one}</p>\n`)}</section>\n`;
  const when = answeredAt === null ? '' : whenOf(answeredAt, isByHand);
  const write = markup`Skriv til <bdi>${seller.name}</bdi>`;
  switch (state) {
    case 'ACCEPTED':
      return part(
        'Tilbudet er godtatt',
        answeredBy === null
          ? `Godtatt ${when}.`
          : markup`Godtatt av <bdi>${answeredBy}</bdi> ${when}.`,
        ...(isByHand ? [] : ['Du får en ordrebekreftelse på e-post.']),
      );
    case 'DECLINED':
      return part(
        'Tilbudet er avslått',
        `Avslått ${when}.`,
        markup`${write} hvis du har ombestemt deg.`,
      );
    case 'EXPIRED':
      return part(
        'Tilbudet har gått ut',
        `Siste dag var ${formatDate(validUntil)}.`,
        markup`${write} hvis du vil ha et nytt.`,
      );
    case 'SENT':
      return part(
        'Tilbudet kan ikke besvares lenger',
        markup`<bdi>${seller.name}</bdi> er avsluttet.`,
      );
    default:
      return part('Tilbudet er trukket tilbake', markup`${write} hvis du lurer på noe.`);
  }
}

/** An answer by hand has a day, and no time. */
function whenOf(instant: string, isByHand: boolean): string {
  return isByHand ? formatDate(todayInOslo(new Date(instant))) : dayAndTime(instant);
}

function linesOf(offer: Offer): Markup {
  const { lines, netAmount, vatAmount, grossAmount } = offer;
  const isTaxed = hasVat(offer);
  const rows = lines.map(
    ({ description, invoicedQuantity, unit, netUnitAmount, netAmount: net }) =>
      markup`<tr><th scope="row">${description}<small>${formatCounted(invoicedQuantity, unit)} × ${formatSum(netUnitAmount)}</small></th><td>${formatSum(net)}</td></tr>\n`,
  );
  const sum = (label: string, amount: number) =>
    markup`<tr><th scope="row">${label}</th><td>${formatSum(amount)}</td></tr>\n`;
  return markup`<section><h2>Dette gjelder tilbudet</h2>
<table><thead><tr><th scope="col">Beskrivelse</th><th scope="col" class="sum">${isTaxed ? 'Uten mva' : 'Beløp'}</th></tr></thead>
<tbody>
${rows}</tbody>
<tfoot>
${isTaxed ? markup`${sum('Sum uten mva', netAmount)}${sum('Mva', vatAmount)}` : null}${sum(isTaxed ? 'Sum med mva' : 'Sum', grossAmount)}</tfoot></table></section>\n`;
}

function documentsOf({ pdf, quoteNumber, attachments }: Offer): Markup {
  const row = (path: string, name: string, type: string) =>
    markup`<li><a href="${path}" rel="noreferrer">${name}<span>${type}</span></a></li>\n`;
  return markup`<section><h2>Dokumenter</h2>\n<ul>
${row(pdf, `Tilbud ${quoteNumber}`, 'PDF')}${attachments.map(({ name, path }) => row(path, name, 'Vedlegg'))}</ul></section>\n`;
}

/** The form that accepts: who, with a code where one is needed, and for how much (QUO-37, QUO-38). */
function acceptPart({ offer, base, isPrivate, codeHint, isCodeSent, fault }: ShownOffer): Markup {
  const { revision, priceKind, grossAmount } = offer;
  const isOfName = fault?.field === 'name';
  const codeFault = fault?.field === 'code' ? fault.sentence : null;
  const label = isPrivate ? ACCEPT_AS_CONSUMER : ACCEPT;
  return markup`<section id="svar"><h2>${ACCEPT}</h2>
${codeHint === null ? null : codePart(base, codeHint, isCodeSent || codeFault !== null)}<form method="post" action="${base}godta/">
<input type="hidden" name="revision" value="${revision}">
${isOfName ? faultOf(fault.sentence) : null}<label for="name">Navn</label>
<input id="name" name="name" autocomplete="name" maxlength="${ANSWER_NAME_LENGTH}" required value="${fault?.name ?? ''}"${isOfName ? described(fault.sentence) : null}>
${codeHint === null ? null : codeField(codeFault)}
<p class="agree"><span>${priceLabel(priceKind, hasVat(offer))}</span><b>${kroner(grossAmount)}</b></p>
<button>${label}</button>
</form>
${isPrivate ? markup`<p class="small">${RIGHT_TO_WITHDRAW}</p>\n` : null}</section>\n`;
}

/** Asks for the code that accepting needs. */
function codePart(base: string, hint: string, isSent: boolean): Markup {
  const address = markup`<bdi class="hint">${hint}</bdi>`;
  return markup`<p>${
    isSent
      ? markup`Vi har sendt en kode til ${address}. Den virker i ${LOGIN_MINUTES} minutter. Fikk du ingen? Se i søppelposten.`
      : markup`For å godta trenger du en kode, så vi vet at det er deg. Vi sender den til ${address}.`
  }</p>
<form method="post" action="${base}kode/">
<button class="plain">${isSent ? 'Send ny kode' : 'Send meg en kode'}</button>
</form>\n`;
}

function declinePart({ offer, base, fault }: ShownOffer): Markup {
  const sentence = fault?.field === 'reason' ? fault.sentence : null;
  return markup`<section id="avslag"><h2>${DECLINE}</h2>
<form method="post" action="${base}avsla/">
<input type="hidden" name="revision" value="${offer.revision}">
${faultOf(sentence)}<label for="reason">Hvorfor? <small>Valgfritt</small></label>
<textarea id="reason" name="reason" maxlength="${ANSWER_NOTE_LENGTH}"${described(sentence)}>${fault?.reason ?? ''}</textarea>
<button class="plain">${DECLINE}</button>
</form></section>\n`;
}
