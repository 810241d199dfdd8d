import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import {
  closeCompany,
  deleteAccount,
  getClosing,
  reopenCompany,
} from '../../domain/closing/closing.endpoints.ts';
import type { Closing } from '../../domain/closing/closing.schema.ts';
import { addDays, formatDate, todayInOslo } from '../../domain/date.ts';
import { createExport, getExportFile, listExports } from '../../domain/export/export.endpoints.ts';
import type { CompanyExport } from '../../domain/export/export.schema.ts';
import { AppError } from '../../server/errors.ts';
import { presentObstacles } from '../../server/closing/closing-obstacles.service.ts';
import { inspect } from '../support/inspect.ts';
import { screens, type Screen } from '../support/screens.ts';

const here = screens();

const TODAY = todayInOslo();
const DAY = formatDate(addDays(TODAY, 30));
const YEAR = Number(TODAY.slice(0, 4)) + 5;
const ARCHIVE = {
  uuid: '0c1f0d5e-6a7d-4f0e-9a43-7b5b9a7c1d01',
  madeAt: '2026-11-29T12:00:00.000Z',
  fetchedAt: '2026-11-29T12:01:00.000Z',
};
const FETCHED = { archive: ARCHIVE };
const CLOSED = {
  state: 'CLOSED',
  closedAt: '2026-11-29T12:05:00.000Z',
  deletesOn: addDays(TODAY, 30),
  keptUntil: `${YEAR}-12-31`,
  keep: true,
} as const;

/** The closing of a company that may be closed, or what the fields make of it. */
function closingOf(fields: Partial<Closing> = {}): Closing {
  return {
    state: 'OPEN',
    closedAt: null,
    deletesOn: null,
    keptUntil: null,
    requiredUntil: `${YEAR}-12-31`,
    keep: null,
    obstacles: [],
    archive: null,
    ...fields,
  };
}

function hindered(codes: Parameters<typeof presentObstacles>[0], fields: Partial<Closing> = {}) {
  return closingOf({ obstacles: presentObstacles(codes, 'nb'), ...fields });
}

const openClosing = async (closing: () => Closing, prepare?: (screen: Screen) => unknown) =>
  here.open('/profile/closing/', {
    features: 'all',
    prepare: (screen) => {
      screen.api.answer(getClosing, closing);
      screen.api.answer(listExports, () => []);
      prepare?.(screen);
    },
  });

const finish = (page: Page) => page.getByRole('button', { name: 'Avslutt bedriften' });

function archiveExport(fields: Partial<CompanyExport>): CompanyExport {
  return {
    uuid: ARCHIVE.uuid,
    kind: 'ARCHIVE',
    from: null,
    to: null,
    sinceLast: false,
    filter: null,
    firstNumber: 1,
    lastNumber: 3,
    invoices: 3,
    creditNotes: 0,
    net: 3000,
    vat: 750,
    gross: 3750,
    state: 'DONE',
    progress: 1,
    sha256: null,
    createdAt: new Date().toISOString(),
    by: 'kari@fjordlys.no',
    isYours: true,
    expiresAt: '2099-01-01T00:00:00.000Z',
    sentTo: null,
    linkSentAt: null,
    ...fields,
  } as CompanyExport;
}

// CLO-12, CLO-13
test('the profile leads to closing, and the archive is made and saved first', async () => {
  const { page, api, complaints } = await here.open('/profile/', {
    features: 'all',
    prepare: ({ api: calls }) => {
      let exports: CompanyExport[] = [];
      let closing = hindered(['ARCHIVE_MISSING']);
      calls.answer(getClosing, () => closing);
      calls.answer(listExports, () => exports);
      calls.answer(createExport, () => {
        exports = [archiveExport({ state: 'DONE' })];
        closing = hindered(['ARCHIVE_MISSING'], { archive: { ...ARCHIVE, fetchedAt: null } });
        return archiveExport({ state: 'DONE' });
      });
      calls.answer(getExportFile, () => {
        closing = closingOf(FETCHED);
        throw new AppError('not_found');
      });
    },
  });
  await page.getByRole('link', { name: 'Avslutt bedriften' }).click();
  for (const step of ['1. Last ned arkivet', '2. Velg hva som skal skje', '3. Bekreft']) {
    await page.getByRole('heading', { name: step }).waitFor();
  }
  const trail = page.getByRole('navigation', { name: 'Brødsmulesti' });
  expect(await trail.innerText()).toMatch(/Profil\s+Avslutning/);
  await page.getByText('Skriv nummeret til Fjordlys Snekkeri AS for å bekrefte.').waitFor();
  await page.getByLabel('Organisasjonsnummer').fill('123456785');
  await page.getByRole('link', { name: 'Gå til arkivet' }).click();
  await page.waitForURL('**/profile/closing/#archive');
  expect(await page.getByLabel('Organisasjonsnummer').inputValue()).toBe('123456785');
  expect(await finish(page).getAttribute('aria-disabled')).toBe('true');
  await inspect(page, 'closing-empty');
  await page.getByRole('button', { name: 'Lag arkivet og last det ned' }).click();
  await page.getByText('Filen lastes ned.').waitFor();
  await page.getByText('Lastet ned 29.11.2026, 13:01.').waitFor();
  expect(api.asked(createExport).map(({ body }) => body.kind)).toEqual(['ARCHIVE']);
  await page.getByRole('link', { name: 'Gå til arkivet' }).waitFor({ state: 'detached' });
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
});

// CLO-13
test('an archive that waits is fetched, one under way is awaited, and an old one is made anew', async () => {
  const waiting = { archive: { ...ARCHIVE, fetchedAt: null } };
  const { page } = await openClosing(
    () => hindered(['ARCHIVE_MISSING'], waiting),
    ({ api }) => api.answer(listExports, () => [archiveExport({})]),
  );
  await page.getByText('Ikke lastet ned ennå.').waitFor();
  await page.getByRole('button', { name: 'Last ned' }).waitFor();
  const making = await openClosing(
    () => hindered(['ARCHIVE_MISSING', 'EXPORT']),
    ({ api }) =>
      api.answer(listExports, () => [archiveExport({ state: 'WORKING', progress: 0.4 })]),
  );
  await making.page.getByText('lages, 40 %').waitFor();
  expect(
    await making.page
      .getByRole('button', { name: 'Lag arkivet og last det ned' })
      .getAttribute('aria-disabled'),
  ).toBe('true');
  await making.page.getByRole('link', { name: 'Se eksportene' }).waitFor();
  await inspect(making.page, 'closing-archive-made');
  const old = await openClosing(() => hindered(['ARCHIVE_MISSING'], FETCHED));
  await old.page.getByText('Det holder ikke lenger').waitFor();
  await old.page.getByRole('button', { name: 'Lag et nytt arkiv' }).waitFor();
});

// CLO-13
test('without exports only keeping is possible, and the archive is passed over', async () => {
  const { page, api } = await openClosing(closingOf, ({ company }) => {
    const { features } = company.session;
    company.session = { ...company.session, features: features.filter((one) => one !== 'export') };
  });
  await page.getByText('Her kan det ikke lages noe arkiv').waitFor();
  await page.getByRole('radio', { name: `Behold bøkene her til 31.12.${YEAR}` }).waitFor();
  expect(await page.getByRole('radio', { name: 'Slett alt' }).count()).toBe(0);
  expect(api.asked(listExports)).toEqual([]);
});

// CLO-13, CLO-14
test('deleting everything asks for a tick, and typing the wrong number changes nothing', async () => {
  const { page, api } = await openClosing(
    () => closingOf(FETCHED),
    ({ api: calls }) =>
      calls.answer(closeCompany, () => {
        throw new AppError('other_org_number', { field: 'confirm' });
      }),
  );
  await page.getByText(`slettes ${DAY}`).first().waitFor();
  await page.getByText(`Du kan angre til ${DAY}. Det som slettes da, kan ikke hentes`).waitFor();
  await page.getByRole('radio', { name: 'Slett alt' }).check();
  expect(await finish(page).getAttribute('aria-disabled')).toBe('true');
  await inspect(page, 'closing-delete');
  await page.getByLabel(`Jeg oppbevarer arkivet selv til 31.12.${YEAR}`).check();
  await finish(page).click();
  await page.getByText('Dette må fylles ut.').waitFor();
  expect(api.asked(closeCompany)).toEqual([]);
  await page.getByLabel('Organisasjonsnummer').fill('NO 974 760 673');
  await finish(page).click();
  await page
    .getByText('Skriv organisasjonsnummeret til bedriften', { exact: true })
    .first()
    .waitFor();
  expect(api.asked(closeCompany).map(({ body }) => body)).toEqual([
    { keep: false, confirm: '974760673', acceptCredit: false },
  ]);
  expect(await page.getByLabel('Organisasjonsnummer').inputValue()).toBe('NO 974 760 673');
});

// CLO-14
test('what hinders stands there with a way out, and credit is accepted when the books stay', async () => {
  let closing = hindered(['DELIVERIES', 'CREDIT'], FETCHED);
  const held = Promise.withResolvers<void>();
  const { page, api, company } = await openClosing(
    () => closing,
    ({ api: calls, company: its }) =>
      calls.answer(closeCompany, async () => {
        await held.promise;
        its.session = { ...its.session, companyState: 'CLOSED' };
        closing = closingOf({ ...FETCHED, ...CLOSED });
        return closing;
      }),
  );
  await page.getByRole('link', { name: 'Se fakturaene' }).waitFor();
  await page.getByRole('link', { name: 'Se innbetalingene' }).waitFor();
  const accept = page.getByLabel('Avslutt selv om kunder har penger til gode');
  await page.getByRole('radio', { name: 'Slett alt' }).check();
  expect(await accept.count()).toBe(0);
  await page.getByRole('radio', { name: 'Behold bøkene' }).check();
  await inspect(page, 'closing-hindered');
  await accept.check();
  await page.getByRole('link', { name: 'Se innbetalingene' }).waitFor({ state: 'detached' });
  expect(await finish(page).getAttribute('aria-disabled')).toBe('true');
  // It goes by itself once all is sent.
  closing = hindered(['CREDIT'], FETCHED);
  await page.getByRole('link', { name: 'Se fakturaene' }).waitFor({ state: 'detached' });
  await page.getByLabel('Organisasjonsnummer').fill(company.profile.orgNumber ?? '');
  await finish(page).click();
  expect(await finish(page).getAttribute('aria-disabled')).toBe('true');
  await finish(page).click({ force: true });
  held.resolve();
  await page.getByText('Bedriften er avsluttet!').waitFor();
  await page
    .getByText(`Fjordlys Snekkeri AS er avsluttet. Bøkene kan leses til 31.12.${YEAR}.`)
    .waitFor();
  await page.getByRole('heading', { name: 'Dette skjer' }).waitFor();
  await inspect(page, 'closing-closed');
  expect(api.asked(closeCompany).map(({ body }) => body)).toEqual([
    { keep: true, confirm: '123456785', acceptCredit: true },
  ]);
});

// CLO-15
test('a closed company says so on every screen, can only be read, and opens again by Angre', async () => {
  let closing = closingOf({ ...FETCHED, ...CLOSED });
  const { page } = await here.open('/invoices/', {
    features: 'all',
    prepare: ({ api, company }) => {
      company.session = { ...company.session, companyState: 'CLOSED' };
      api.answer(getClosing, () => closing);
      api.answer(reopenCompany, () => {
        company.session = { ...company.session, companyState: 'OPEN' };
        closing = closingOf(FETCHED);
        return closing;
      });
    },
  });
  const notice = page.getByText(
    `Fjordlys Snekkeri AS er avsluttet. Bøkene kan leses til 31.12.${YEAR}.`,
  );
  await notice.waitFor();
  expect(await page.getByRole('link', { name: 'Lag ny' }).count()).toBe(0);
  await inspect(page, 'closed-list');
  await page.getByRole('link', { name: 'Kunder' }).click();
  await page.waitForURL('**/customers/');
  await notice.waitFor();
  await page.getByRole('button', { name: 'Angre' }).click();
  await page.getByText('Bedriften er åpnet igjen!').waitFor();
  await notice.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Fakturaer', exact: true }).click();
  await page.getByRole('link', { name: 'Lag ny' }).waitFor();
});

// CLO-15
test('once anything is deleted, the notice has no way back', async () => {
  const { page } = await openClosing(
    () => closingOf({ ...CLOSED, deletesOn: TODAY }),
    ({ company }) => {
      company.session = { ...company.session, companyState: 'CLOSED' };
    },
  );
  await page.getByText('er avsluttet. Bøkene kan leses til').waitFor();
  expect(await page.getByRole('button', { name: 'Angre' }).count()).toBe(0);
});

// CLO-12, CLO-13
test('a company without books has nothing to choose, and one without a number goes with the account', async () => {
  const { page } = await openClosing(() => closingOf({ ...FETCHED, requiredUntil: null }));
  await page.getByText(`ingen fakturaer eller innbetalinger, så alt slettes ${DAY}.`).waitFor();
  expect(await page.getByRole('radio').count()).toBe(0);
  const { page: other } = await openClosing(closingOf, ({ company }) => {
    company.profile = { ...company.profile, orgNumber: null };
  });
  await other.getByText('Den slettes sammen med kontoen din.').waitFor();
  expect(await finish(other).count()).toBe(0);
});

// CLO-12
test('only an owner closes', async () => {
  const { page } = await here.open('/profile/closing/', {
    features: 'all',
    prepare: ({ company }) => {
      company.session = { ...company.session, role: 'EMPLOYEE', permissions: ['see', 'edit'] };
    },
  });
  await page.getByRole('heading', { name: '404 - Finner ikke siden' }).waitFor();
  await page.goto('/profile/');
  await page.getByRole('button', { name: 'Slett kontoen min' }).waitFor();
  expect(await page.getByRole('link', { name: 'Avslutt bedriften' }).count()).toBe(0);
});

// CLO-16
test('an account is deleted once its address is typed, and is told which company it owns alone', async () => {
  let isOwner = true;
  const { page, api } = await here.open('/profile/', {
    features: 'all',
    prepare: ({ api: calls }) =>
      calls.answer(deleteAccount, () => {
        if (isOwner) throw new AppError('only_owner', { subject: 'Fjordlys Snekkeri AS' });
        return undefined;
      }),
  });
  const security = page.getByRole('region', { name: 'Sikkerhet' });
  await security.getByRole('button', { name: 'Slett kontoen min' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Dette kan ikke angres.').waitFor();
  await inspect(page, 'delete-account');
  const remove = dialog.getByRole('button', { name: 'Slett kontoen' });
  await dialog.getByLabel('E-post').fill('kari@fjordlys.no');
  await remove.click();
  await dialog.getByText('Du er den eneste eieren av Fjordlys Snekkeri AS.').waitFor();
  await dialog.getByRole('link', { name: 'Avslutt bedriften' }).waitFor();
  isOwner = false;
  await remove.click();
  await page.waitForURL('**/auth/login/');
  await page.getByText('Kontoen din er slettet!').waitFor();
  expect(api.asked(deleteAccount).map(({ body }) => body)).toEqual([
    { confirm: 'kari@fjordlys.no' },
    { confirm: 'kari@fjordlys.no' },
  ]);
});

// CLO-12, CLO-16
test('without the feature the profile ends as before; without security the foot has both', async () => {
  const { page } = await here.open('/profile/');
  await page.getByRole('heading', { name: 'Logo' }).waitFor();
  expect(await page.getByText(/Avslutt bedriften|Slett kontoen min/).count()).toBe(0);
  const { page: other } = await here.open('/profile/', {
    features: 'all',
    prepare: ({ company }) => {
      const { features } = company.session;
      company.session = {
        ...company.session,
        features: features.filter((one) => one !== 'security'),
      };
    },
  });
  await other.getByRole('button', { name: 'Slett kontoen min' }).waitFor();
  await other.getByRole('link', { name: 'Avslutt bedriften' }).waitFor();
  await inspect(other, 'profile-foot');
});
