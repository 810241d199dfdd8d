import { dayAndTime, formatDate } from '../../../domain/date.ts';
import { formatSum, groupThousands, sumKroner } from '../../../domain/money.ts';
import { AGE_NAMES, shownTurnover } from '../../../domain/overview/figures.ts';
import type { SharedOverview } from '../../../domain/overview/overview-link.schema.ts';
import { markup, type Markup } from '../../platform/mail/layout.ts';
import { columnChart, rowBar, swatch } from './charts.ts';
import { OVERVIEW_PAGES } from './page-frame.ts';

/** The figures of a link as a page, for screens and paper. */
export function figuresPage(overview: SharedOverview): string {
  const { company, name, from, to, asOf, expiresAt } = overview;
  const content = markup`<h1>${company}</h1>
<p class="lead">${name} · ${formatDate(from)}–${formatDate(to)} · tall per ${formatDate(asOf)}</p>
${summary(overview)}
<div class="parts">
${[turnoverPart, vatPart, outstandingPart, customersPart].flatMap((part) => part(overview) ?? [])}</div>`;
  return OVERVIEW_PAGES.frame(content, [
    markup`<p>Tallene er fra fakturaene i Faktur, og er ikke et fullstendig regnskap.</p>\n`,
    markup`<p>Lenken virker til ${dayAndTime(expiresAt)}. Ikke send den videre til andre.</p>\n`,
  ]);
}

function summary({ turnover, outstanding, overdue, medianDays }: SharedOverview): Markup | null {
  const facts: Markup[] = [];
  if (turnover) {
    const before = sumKroner(turnover.map(({ lastYear }) => lastYear));
    const beside = `${formatSum(before)} kr i hele samme periode året før`;
    facts.push(fact('Omsetning', sumKroner(turnover.map(({ net }) => net)), beside));
  }
  if (outstanding) {
    const count = outstanding.ages.reduce((sum, age) => sum + age.count, 0);
    facts.push(fact('Utestående', outstanding.total, invoices(count)));
  }
  if (overdue) {
    const { amount, count, oldest } = overdue;
    const since = oldest === null ? '' : `, den eldste forfalt ${formatDate(oldest)}`;
    facts.push(fact('Forfalt', amount, `${invoices(count)}${since}`, amount > 0));
  }
  if (medianDays !== null) facts.push(daysFact(medianDays));
  return facts.length === 0 ? null : markup`<dl class="figures">\n${facts}</dl>`;
}

function fact(label: string, kroner: number, below: string, isLate = false): Markup {
  const tone = isLate ? markup` class="late"` : null;
  return markup`<div class="card"><dt>${label}</dt><dd${tone}>${formatSum(kroner)} kr</dd><dd>${below}</dd></div>\n`;
}

function daysFact(days: number): Markup {
  const text = String(days).replace('.', ',');
  return markup`<div class="card"><dt>Vanligvis betalt på</dt><dd>${text} ${days === 1 ? 'dag' : 'dager'}</dd><dd>Siste 12 måneder</dd></div>\n`;
}

function invoices(count: number): string {
  if (count === 0) return 'Ingen fakturaer';
  return count === 1 ? '1 faktura' : `${groupThousands(String(count))} fakturaer`;
}

const MONTHS = [
  'jan',
  'feb',
  'mars',
  'apr',
  'mai',
  'juni',
  'juli',
  'aug',
  'sep',
  'okt',
  'nov',
  'des',
];

function monthOf(month: string): { readonly name: string; readonly year: string } {
  return { name: MONTHS[Number(month.slice(5, 7)) - 1] ?? '', year: month.slice(0, 4) };
}

/** Most months that have their names below their columns; of more, Januaries have their year. */
const MOST_NAMES = 13;

function turnoverPart({ turnover }: SharedOverview): Markup | null {
  if (!turnover) return null;
  const names = turnover.map(({ month }) => {
    const { name, year } = monthOf(month);
    if (turnover.length <= MOST_NAMES) return name.slice(0, 3);
    return name === 'jan' ? year : '';
  });
  const rows = shownTurnover(turnover).map(({ month, net, lastYear }) => {
    const { name, year } = monthOf(month);
    return markup`<tr><th scope="row">${name} ${year}</th><td>${formatSum(net)}</td><td>${lastYear === null ? '' : formatSum(lastYear)}</td></tr>\n`;
  });
  const sums = (['net', 'lastYear'] as const).map(
    (column) => markup`<td>${formatSum(sumKroner(turnover.map((month) => month[column])))}</td>`,
  );
  return markup`<section class="wide"><h2>Omsetning per måned</h2>
<p>Uten mva, minus kreditnotaer</p>
<div class="beside"><figure>
${columnChart(turnover.map(({ net, lastYear }) => [lastYear, net]))}
<div class="names" aria-hidden="true">${names.map((name) => markup`<span>${name}</span>`)}</div>
<div class="key" aria-hidden="true"><span>${swatch('now')}Måneden</span><span>${swatch('then')}Året før</span></div>
</figure>
<table><thead><tr><th scope="col">Måned</th><th scope="col" class="sum">Omsetning</th><th scope="col" class="sum">Året før</th></tr></thead>
<tbody>
${rows}</tbody><tfoot><tr><th scope="row">Sum</th>${sums}</tr></tfoot></table></div></section>\n`;
}

function vatPart({ vat }: SharedOverview): Markup | null {
  if (!vat) return null;
  const most = Math.max(...vat.map((term) => Math.abs(term.vat)));
  const rows = vat.map((term) => {
    const first = monthOf(term.from);
    const last = monthOf(term.to);
    const months = first.name === last.name ? first.name : `${first.name}–${last.name}`;
    return markup`<tr><th scope="row" class="whole">${months} ${first.year}</th><td class="bar">${rowBar(term.vat, most)}</td><td>${formatDate(term.dueDate)}</td><td>${formatSum(term.vat)}</td></tr>\n`;
  });
  return markup`<section><h2>Utgående mva per termin</h2>
<p>Bare mva fra fakturaene her. Fradrag og annen mva kommer i tillegg.</p>
<table class="hasbar"><thead><tr><th scope="col">Termin</th><th class="bar" aria-hidden="true"></th><th scope="col" class="sum">Frist</th><th scope="col" class="sum">Mva</th></tr></thead>
<tbody>
${rows}</tbody><tfoot><tr><th scope="row">Sum</th><td class="bar"></td><td></td><td>${formatSum(sumKroner(vat.map((term) => term.vat)))}</td></tr></tfoot></table></section>\n`;
}

function outstandingPart({ outstanding, asOf }: SharedOverview): Markup | null {
  if (!outstanding) return null;
  const { total, ages } = outstanding;
  const most = Math.max(...ages.map(({ amount }) => Math.abs(amount)));
  const rows = ages.map(({ age, amount, count }) => {
    const tone = age === 'NOT_DUE' ? 'now' : 'late';
    return markup`<tr><th scope="row" class="whole">${AGE_NAMES[age]}</th><td class="bar">${rowBar(amount, most, tone)}</td><td>${groupThousands(String(count))}</td><td>${formatSum(amount)}</td></tr>\n`;
  });
  const count = ages.reduce((sum, age) => sum + age.count, 0);
  return markup`<section><h2>Utestående etter alder</h2>
<p>Det kundene skyldte ${formatDate(asOf)}, etter dager over forfall</p>
<table class="hasbar"><thead><tr><th scope="col">Forfalt</th><th class="bar" aria-hidden="true"></th><th scope="col" class="sum">Antall</th><th scope="col" class="sum">Beløp</th></tr></thead>
<tbody>
${rows}</tbody><tfoot><tr><th scope="row">Sum</th><td class="bar"></td><td>${groupThousands(String(count))}</td><td>${formatSum(total)}</td></tr></tfoot></table></section>\n`;
}

function customersPart({ customers, asOf }: SharedOverview): Markup | null {
  if (!customers) return null;
  const most = Math.max(...customers.map(({ net }) => net));
  const rows = customers.map(
    ({ name, net }) =>
      markup`<tr><th scope="row"><bdi>${name}</bdi></th><td class="bar">${rowBar(net, most)}</td><td>${formatSum(net)}</td></tr>\n`,
  );
  return markup`<section><h2>Største kunder siste 12 måneder</h2>
<p>Uten mva, til ${formatDate(asOf)}</p>
<table class="hasbar"><thead><tr><th scope="col">Kunde</th><th class="bar" aria-hidden="true"></th><th scope="col" class="sum">Omsetning</th></tr></thead>
<tbody>
${rows.length === 0 ? markup`<tr><th scope="row">Ingen ennå</th><td class="bar"></td><td></td></tr>` : rows}</tbody></table></section>\n`;
}
