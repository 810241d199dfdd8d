import type { Figure } from './figure.ts';
import type { Harness } from './harness.ts';
import { measureBytes, openInstallation, scrape } from './installation.ts';
import { largestOf } from './seed-tenants.ts';
import { measureBackup } from './tenants-backup.ts';
import { measureLists } from './tenants-lists.ts';
import { measureSending } from './tenants-sending.ts';

const COMPANIES = 100_000;
const QUICK_COMPANIES = 1000;
const INVOICES_EACH = 30;
const QUICK_INVOICES_EACH = 20;
/** A tenth of the companies is backed up, but at most this many: size and time grow with them, to minutes. */
const BACKED_UP_MOST = 10_000;

/** Whether a company notices that it shares its installation with many thousands of others. */
export async function measureTenants(harness: Harness): Promise<Figure[]> {
  const { quick, companies = quick ? QUICK_COMPANIES : COMPANIES } = harness.options;
  const invoicesEach = quick ? QUICK_INVOICES_EACH : INVOICES_EACH;
  const many = await openInstallation(harness, { companies, invoicesEach });
  const alone = await openInstallation(harness, { companies: 1, invoicesEach });
  const sizes = await measureBytes(many);
  const scraping = [many, alone].map((installation) => scrape(harness, installation));
  const lists = await measureLists(harness, many, alone);
  const sending = await measureSending(harness, many, alone);
  const [scrapes, scrapesAlone] = scraping.map((stop) => stop());
  const grown = await measureBytes(many);
  const backup = await measureBackup(harness, {
    companies: Math.min(Math.ceil(companies / 10), BACKED_UP_MOST),
    invoicesEach,
  });
  return [
    { name: 'companies', value: companies, unit: '' },
    { name: 'invoices', value: sizes.invoices, unit: '' },
    { name: 'of the largest company', value: largestOf(many.tenants), unit: '' },
    ...lists,
    ...sending.figures,
    {
      name: 'metrics meanwhile, slowest scrape',
      value: Math.max(...(scrapes ?? [])),
      unit: 'ms',
      peer: { name: 'alone', value: Math.max(...(scrapesAlone ?? [])) },
    },
    { name: 'tables, an invoice', value: sizes.tables / sizes.invoices, unit: 'bytes' },
    { name: 'their indexes', value: sizes.indexes / sizes.invoices, unit: 'bytes' },
    {
      name: 'grown by an invoice that is made and mailed, with PDF and EHF',
      value: (grown.tables + grown.indexes - sizes.tables - sizes.indexes) / sending.sent,
      unit: 'bytes',
    },
    ...backup,
  ];
}
