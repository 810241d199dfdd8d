import { formatDate, formatInstant } from '../../../domain/date.ts';
import { invoiceTotals } from '../../../domain/invoice/invoice.totals.ts';
import { formatOre, ore } from '../../../domain/money.ts';
import type { QuoteDocument } from '../../../domain/quote/quote-document.ts';
import { readText } from '../../document/document-text.ts';
import type { CopiedRow } from '../../platform/db/company-rows.ts';
import { documentPath, quoteFolder, type ArchivedFormat } from './archive-names.ts';
import type { Manifest } from './manifest.ts';
import { requireAt, rowsOf, type ListedInvoice, type Snapshot } from './snapshot.ts';

/** Rows that LESMEG.html has itself; when there are more, they are on pages of their own. */
const MOST_ON_FIRST_PAGE = 1000;

const STATUS_LABELS: Readonly<Record<string, string>> = {
  REGISTERED: 'Registrert',
  PAID: 'Betalt',
  CANCELLED: 'Kreditert',
};
const LINK_LABELS: readonly (readonly [ArchivedFormat, string])[] = [
  ['PDF', 'PDF'],
  ['EHF', 'EHF'],
];

/** Colours and distances are those of the product (`web/app/global.css`). */
const STYLE = `
:root{color-scheme:light}
body{margin:0;background:#f7f5f0;color:#1b1f1d;font:16px/1.55 'Space Grotesk Variable','Space Grotesk',system-ui,sans-serif}
main{max-width:1120px;margin:0 auto;padding:32px clamp(16px,3vw,40px) 48px}
h1{font-size:clamp(28px,4vw,36px);line-height:1.15;margin:0 0 8px}
h2{font-size:22px;margin:0 0 12px}
p{margin:0 0 12px}
.brand{color:#1d5c4a;font-weight:600;margin-bottom:24px}
.soft{color:#515955}
section{background:#fff;border:1px solid #e5e1d8;border-radius:16px;padding:clamp(16px,3vw,28px);margin-top:24px;overflow-x:auto}
dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 24px;margin:0}
dt{color:#515955}dd{margin:0;overflow-wrap:anywhere}
code{white-space:nowrap}
@media (width < 40em){dl{grid-template-columns:minmax(0,1fr)}dd{margin-bottom:8px}}
table{border-collapse:collapse;width:100%;font-size:15px}
th{text-align:left;color:#515955;font-weight:500;border-bottom:1px solid #cfcabf}
td,th{padding:8px 16px 8px 0;vertical-align:top}
tr+tr td{border-top:1px solid #e5e1d8}
.sum{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
a{color:#1d5c4a}a:hover{color:#14463a}
@media print{body{background:#fff}section{border:0;padding:0}}`;

/** A page of the archive for people. It opens without a network, and needs no script. */
export interface ReadmePage {
  readonly path: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The pages for people: LESMEG.html, and where there is much, one for each year and one for the customers. */
export function* readmePages(snapshot: Snapshot, about: Manifest): Generator<ReadmePage> {
  const documents = snapshot.counts['document'] ?? 0;
  const years = yearsOf(snapshot.invoices);
  const isShort = documents <= MOST_ON_FIRST_PAGE;
  const fewCustomers = (snapshot.counts['customer'] ?? 0) <= MOST_ON_FIRST_PAGE;
  const quotes = snapshot.counts['quote_document'] ?? 0;
  const fewQuotes = quotes <= MOST_ON_FIRST_PAGE;
  yield {
    path: 'LESMEG.html',
    content: inBlocks(
      (async function* () {
        yield* begin(about);
        yield* contents(about);
        if (isShort) yield* documentSection(snapshot, null, '');
        else yield yearLinks(years);
        if (quotes > 0 && fewQuotes) yield* quoteSection(snapshot, '');
        if (!fewQuotes) yield pageLink('Tilbud', 'tilbud', 'Alle tilbud');
        if (fewCustomers) yield* customerSection(snapshot);
        else yield pageLink('Kunder', 'kunder', 'Alle kunder');
        yield END;
      })(),
    ),
  };
  if (!isShort) {
    for (const year of years.keys()) {
      const page = documentSection(snapshot, year, '../');
      yield { path: `lesmeg/${year}.html`, content: inBlocks(pageOf(about, page)) };
    }
  }
  if (!fewQuotes) {
    const page = quoteSection(snapshot, '../');
    yield { path: 'lesmeg/tilbud.html', content: inBlocks(pageOf(about, page)) };
  }
  if (!fewCustomers) {
    const page = customerSection(snapshot);
    yield { path: 'lesmeg/kunder.html', content: inBlocks(pageOf(about, page)) };
  }
}

function pageLink(heading: string, page: string, label: string): string {
  return `<section><h2>${heading}</h2><p><a href="lesmeg/${page}.html">${label}</a></p></section>`;
}

const END = '</main></body></html>\n';

function* begin({ company }: Manifest): Generator<string> {
  const name = escape(company.name ?? company.email);
  yield `<!doctype html><html lang="nb"><head><meta charset="utf-8"><title>Arkiv for ${name}</title>`;
  yield `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head><body><main>`;
  yield `<p class="brand">Faktur</p><h1>${name}</h1>`;
}

async function* pageOf(about: Manifest, page: AsyncIterable<string>): AsyncGenerator<string> {
  yield* begin(about);
  yield '<p><a href="../LESMEG.html">Tilbake til oversikten</a></p>';
  yield* page;
  yield END;
}

function* contents(about: Manifest): Generator<string> {
  const hasQuotes = (about.counts['quote'] ?? 0) > 0;
  const { company, counts, sums, numbers, lastHash } = about;
  yield `<p class="soft">Alt selskapet har i Faktur, slik det var ${escape(formatInstant(about.madeAt))}.</p>`;
  const facts: [string, string][] = [
    ['Organisasjonsnummer', company.orgNumber ?? '–'],
    ['Konto', company.email],
    ['Nummer', numbers.first === null ? '–' : `${numbers.first}–${numbers.last}`],
    ['Netto', `${formatOre(ore(sums.net))} kr`],
    ['Mva', `${formatOre(ore(sums.vat))} kr`],
    ['Sum, minus kreditnotaer', `${formatOre(ore(sums.gross))} kr`],
    ['Innbetalt', `${formatOre(ore(sums.paid))} kr`],
    ['Kunder', String(counts['customer'] ?? 0)],
    ['Siste kontrollsum', lastHash ?? '–'],
  ];
  yield `<section><h2>Oversikt</h2><dl>${facts
    .map(([label, value]) => `<dt>${label}</dt><dd>${escape(value)}</dd>`)
    .join('')}</dl></section>`;
  yield `<section><h2>Hva som er hva</h2><dl>
<dt>dokumenter/</dt><dd>Fakturaer og kreditnotaer: PDF, EHF (.xml) og teksten som ble utstedt (.json)</dd>
<dt>purringer/</dt><dd>Purringer og inkassovarsler</dd>
${hasQuotes ? '<dt>tilbud/</dt><dd>Tilbud og ordrebekreftelser</dd>\n' : ''}<dt>vedlegg/</dt><dd>Filer som følger ${hasQuotes ? 'fakturaer og tilbud' : 'fakturaene'}</dd>
<dt>regneark/</dt><dd>Fakturaer, linjer, innbetalinger og bilag i ett regneark</dd>
<dt>logo/</dt><dd>Logoer som er brukt</dd>
<dt>data/</dt><dd>Alle opplysninger, én fil for hver tabell: kunder, produkter, linjer, innbetalinger, historikk</dd>
<dt>manifest.json</dt><dd>Hver fil med størrelse og kontrollsum (SHA-256)</dd></dl>
<p class="soft" style="margin-top:12px">Hver faktura, kreditnota og purring har PDF. EHF har de som kan sendes som EHF.
Med <code>npm run company -- import</code> kan arkivet legges inn i en annen Faktur.</p></section>`;
}

function yearsOf(
  invoices: Snapshot['invoices'],
): ReadonlyMap<string, { count: number; gross: number }> {
  const years = new Map<string, { count: number; gross: number }>();
  for (const invoice of invoices) {
    if (!invoice || invoice.number === null) continue;
    const year = years.get(invoice.year) ?? { count: 0, gross: 0 };
    year.count += 1;
    year.gross += signed(invoice);
    years.set(invoice.year, year);
  }
  return new Map([...years].toSorted(([one], [other]) => one.localeCompare(other)));
}

function yearLinks(years: ReturnType<typeof yearsOf>): string {
  const rows = [...years].map(
    ([year, { count, gross }]) =>
      `<tr><td><a href="lesmeg/${year}.html">${year}</a></td><td class="sum">${count}</td><td class="sum">${formatOre(ore(gross))}</td></tr>`,
  );
  return `<section><h2>Fakturaer og kreditnotaer</h2><table><thead><tr><th>År</th><th class="sum">Antall</th><th class="sum">Sum</th></tr></thead><tbody>${rows.join('')}</tbody></table></section>`;
}

function signed({ kind, gross }: Pick<ListedInvoice, 'kind' | 'gross'>): number {
  return kind === 'INVOICE' ? gross : -gross;
}

/** Registered documents in the order in which they were issued. @param root leads to the folder of LESMEG.html */
async function* documentSection(
  snapshot: Snapshot,
  year: string | null,
  root: string,
): AsyncGenerator<string> {
  yield `<section><h2>Fakturaer og kreditnotaer${year === null ? '' : ` ${year}`}</h2><table><thead><tr>`;
  yield '<th>Nummer</th><th>Dato</th><th>Kunde</th><th class="sum">Sum</th><th>Status</th><th>Filer</th></tr></thead><tbody>';
  let rank = 0;
  for await (const row of rowsOf(snapshot, 'document')) {
    rank += 1;
    const { invoice, reminder } = requireAt(snapshot.documents, rank);
    const listed = requireAt(snapshot.invoices, invoice);
    if (reminder !== null || (year !== null && listed.year !== year)) continue;
    yield documentRow(listed, row, root);
  }
  yield '</tbody></table></section>';
}

function documentRow(listed: ListedInvoice, row: CopiedRow, root: string): string {
  const { buyer, issueDate } = readText(String(row['content']), Number(row['version']));
  const files = LINK_LABELS.filter(([format]) => listed.formats.includes(format)).map(
    ([format, label]) => linkTo(root + documentPath(listed, null, format), label),
  );
  const text = linkTo(root + documentPath(listed, null, 'TEXT'), 'tekst');
  const attached = listed.attachments.map((path) =>
    linkTo(root + path, path.slice(path.lastIndexOf('/') + 1)),
  );
  const status = listed.kind === 'CREDIT_NOTE' ? 'Kreditnota' : STATUS_LABELS[listed.status];
  return `<tr><td>${listed.number}</td><td>${formatDate(issueDate)}</td><td>${escape(buyer.name)}</td><td class="sum">${formatOre(ore(signed(listed)))}</td><td>${status}</td><td>${[...files, text, ...attached].join(' · ')}</td></tr>\n`;
}

/** Quotes and order confirmations in the order in which they were issued. @param root leads to the folder of LESMEG.html */
async function* quoteSection(snapshot: Snapshot, root: string): AsyncGenerator<string> {
  yield '<section><h2>Tilbud og ordrebekreftelser</h2><table><thead><tr><th>Dokument</th><th>Dato</th>';
  yield '<th>Kunde</th><th class="sum">Sum</th><th>Filer</th></tr></thead><tbody>';
  for await (const { text, path } of rowsOf(snapshot, 'quote_document')) {
    const document = JSON.parse(String(text)) as QuoteDocument;
    const { kind, quoteNumber, revision, issueDate, buyer, lines, attachments } = document;
    const version = revision > 1 ? `, versjon ${revision}` : '';
    const name =
      kind === 'QUOTE' ? `Tilbud ${quoteNumber}${version}` : `Ordrebekreftelse ${quoteNumber}`;
    const pdf = typeof path === 'string' ? [linkTo(root + path, 'PDF')] : [];
    const attached = kind === 'QUOTE' ? (attachments ?? []) : [];
    const links = attached.map((file) =>
      linkTo(`${root}${quoteFolder(document)}/${file.name}`, file.name),
    );
    yield `<tr><td>${name}</td><td>${formatDate(issueDate)}</td><td>${escape(buyer.name)}</td><td class="sum">${formatOre(invoiceTotals(lines).gross)}</td><td>${[...pdf, ...links].join(' · ')}</td></tr>\n`;
  }
  yield '</tbody></table></section>';
}

async function* customerSection(snapshot: Snapshot): AsyncGenerator<string> {
  yield '<section><h2>Kunder</h2><table><thead><tr><th>Nummer</th><th>Navn</th><th>Organisasjonsnummer</th><th>E-post</th></tr></thead><tbody>';
  for await (const row of rowsOf(snapshot, 'customer')) {
    const { customer_number: number, name, org_number: orgNumber, email } = row;
    yield `<tr><td>${String(number)}</td><td>${escape(name)}</td><td>${escape(orgNumber)}</td><td>${escape(email)}</td></tr>\n`;
  }
  yield '</tbody></table></section>';
}

function linkTo(path: string, label: string): string {
  const address = path
    .split('/')
    .map((part) => (part === '..' ? part : encodeURIComponent(part)))
    .join('/');
  return `<a href="${escape(address)}">${escape(label)}</a>`;
}

function escape(value: unknown): string {
  if (typeof value !== 'string') return '';
  return value.replaceAll(/[&<>"']/g, (letter) => `&#${letter.codePointAt(0)};`);
}

const BLOCK = 64 * 1024;

async function* inBlocks(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let block = '';
  for await (const text of texts) {
    block += text;
    if (block.length < BLOCK) continue;
    yield Buffer.from(block);
    block = '';
  }
  yield Buffer.from(block);
}
