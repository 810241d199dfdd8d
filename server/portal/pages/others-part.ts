import { formatDate } from '../../../domain/date.ts';
import { formatSum } from '../../../domain/money.ts';
import type { PortalInvoice, PortalInvoices } from '../../../domain/portal/portal.schema.ts';
import { STATE_NAMES } from '../../../domain/portal/portal-state.ts';
import { LOGIN_MINUTES } from '../../../domain/session/session.schema.ts';
import { codeField } from '../../platform/http/link-pages.ts';
import { markup, type Markup } from '../../platform/mail/layout.ts';

/** How far a browser is that wants to see the customer's other invoices. */
export interface Others {
  /** The path of the link's page. */
  readonly base: string;
  /** Where codes go, for people. */
  readonly hint: string;
  readonly step: 'ASK' | 'SENT' | 'WRONG';
  /** A page of the invoices, once confirmed. */
  readonly list: PortalInvoices | null;
  readonly page: number;
}

/** The part of the page about the customer's other invoices (PORT-11, PORT-12). */
export function othersPart(state: PortalInvoice['others'], others: Others): Markup | null {
  if (state === 'NONE') return null;
  return others.list === null ? codePart(others) : listPart(others, others.list);
}

/** Asks whether to mail a code, and then for it. */
function codePart({ base, hint, step }: Others): Markup {
  const form = (content: Markup) =>
    markup`<form method="post" action="${base}kode/">\n${content}</form>\n`;
  const send = (label: string) => form(markup`<button>${label}</button>\n`);
  if (step === 'ASK') {
    return markup`<section id="fakturaer"><h2>Flere fakturaer?</h2>
<p>Vi sender en kode til <bdi class="hint">${hint}</bdi>, så vi vet at det er deg.</p>
${send('Se alle fakturaene dine')}</section>\n`;
  }
  const fault =
    step === 'WRONG' ? 'Koden er feil eller har gått ut. Prøv igjen, eller be om en ny.' : null;
  return markup`<section id="fakturaer"><h2>Skriv inn koden</h2>
<p>Vi har sendt en kode til <bdi class="hint">${hint}</bdi>. Den virker i ${LOGIN_MINUTES} minutter. Fikk du ingen? Se i søppelposten.</p>
${form(markup`${codeField(fault)}\n<button>Vis fakturaene</button>\n`)}${send('Send ny kode')}</section>\n`;
}

function listPart({ base, page }: Others, { results, next, previous, count }: PortalInvoices) {
  const rows = results.map(
    ({ kind, invoiceNumber, issueDate, dueDate, state, grossAmount, toPay, path }) =>
      markup`<tr><th scope="row"><a href="${path}" rel="noreferrer">${kind === 'CREDIT_NOTE' ? 'Kreditnota' : 'Faktura'} ${invoiceNumber}</a></th><td>${formatDate(issueDate)}${
        dueDate === null ? null : markup`<small>Forfall ${formatDate(dueDate)}</small>`
      }</td><td>${formatSum(grossAmount)}<small>${STATE_NAMES[state]}</small>${
        toPay > 0 && toPay !== grossAmount ? markup`<small>${formatSum(toPay)} igjen</small>` : null
      }</td></tr>\n`,
  );
  const turn = (to: number, label: string) =>
    markup`<a href="${base}?side=${to}#fakturaer" rel="noreferrer">${label}</a>`;
  return markup`<section id="fakturaer"><h2>Alle fakturaene dine</h2>
<p>${count === 1 ? '1 faktura' : `${count} fakturaer og kreditnotaer`}, den nyeste først</p>
<table><thead><tr><th scope="col">Nummer</th><th scope="col" class="sum">Dato</th><th scope="col" class="sum">Beløp</th></tr></thead>
<tbody>
${rows}</tbody></table>
<p><a href="${base}kontoutskrift.pdf" rel="noreferrer">Kontoutskrift for i år (PDF)</a></p>
<p class="turn">${previous === null ? markup`<span></span>` : turn(page - 1, 'Nyere')}${next === null ? null : turn(page + 1, 'Eldre')}</p></section>\n`;
}
