import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { addDays, todayInOslo } from '../domain/date.ts';
import { DESKTOP, follow, PHONE, visit } from './support/browser.ts';
import { stage, WITH_ALL, WITHOUT } from './support/faktur.ts';
import { inspect } from './support/inspect.ts';
import { linkIn } from './support/mailbox.ts';
import {
  addCustomer,
  addDraft,
  call,
  COMPANY,
  completeProfile,
  createAccount,
  register,
} from './support/person.ts';

const here = stage(WITH_ALL);
const withoutMembers = stage(WITHOUT);

const LINK = '/auth/invitation/';
const RENT = {
  description: 'Leie',
  invoiced_quantity: 1,
  net_unit_amount: 100,
  vat_rate_percentage: 0,
};
/** Everything. */
const EXPORTED = { from: '2020-01-01', to: '2035-12-31' };

/** Accepts the mailed invitation, without its screen. */
async function accept(page: Page, email: string): Promise<void> {
  const link = linkIn(await here.faktur.mailbox.take(email, isInvitation), LINK);
  const token = new URL(link).searchParams.get('token');
  await call(page, 'POST', '/api/members/accept/', { token });
}

/** Does so, and opens the list of the company's invoices. */
async function enter(page: Page, email: string): Promise<void> {
  await accept(page, email);
  await page.goto('/invoices/');
  await page.getByRole('heading', { name: 'Fakturaer', level: 1 }).waitFor();
}

function isInvitation({ subject }: { subject: string }): boolean {
  return subject.startsWith('Invitasjon til');
}

async function openMembers(page: Page, isLoaded = false): Promise<void> {
  await (isLoaded ? follow(page, '/profile/') : page.goto('/profile/'));
  await page.getByRole('link', { name: 'Medlemmer' }).click();
  await page.getByRole('heading', { name: 'Medlemmer', level: 1 }).waitFor();
}

/** Goes over to another company of the account without this tab's knowledge. */
async function goOverElsewhere(page: Page, name: string): Promise<void> {
  await page.evaluate(async (wanted) => {
    const session = (await (await fetch('/api/users/session/')).json()) as {
      companies: { uuid: string; name: string }[];
    };
    const company_uuid = session.companies.find((company) => company.name === wanted)?.uuid;
    await fetch('/api/users/company/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ company_uuid }),
    });
  }, name);
}

test('a treasurer hands the company over to the next one', async () => {
  const old = await visit(here.browser, here.faktur.url);
  const { page } = old;
  await createAccount(page, here.faktur, 'kasserer@korps.no');
  await completeProfile(page);
  const member = await addCustomer(page, 'Kari Nordmann');
  await register(page, await addDraft(page, member.customer_number));

  await openMembers(page);
  await page.getByRole('button', { name: 'Fjern kasserer@korps.no' }).click();
  // MEM-5 is said before the press.
  const removal = page.getByRole('alertdialog');
  await removal.getByText('Bedriften må ha minst én eier uten siste dag').waitFor();
  const fixed = removal.getByRole('button', { name: 'Fjern', exact: true });
  expect(await fixed.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Endre kasserer@korps.no' }).click();
  expect(await page.getByRole('radio', { name: 'Medarbeider' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Inviter' }).click();
  await page.getByLabel('E-post').fill('Kasserer@korps.no');
  await page.getByRole('button', { name: 'Send invitasjon' }).click();
  await page.getByText('Denne adressen er medlem allerede.').waitFor();
  await page.getByLabel('E-post').fill('neste@korps.no');
  await page.getByRole('radio', { name: 'Medarbeider' }).waitFor();
  await inspect(page, 'members-invite');
  await page.getByRole('radio', { name: 'Eier' }).check();
  // Typed input is not lost without a question.
  await page.getByRole('button', { name: 'Avbryt' }).click();
  await page.getByRole('alertdialog', { name: 'Forkaste det du har skrevet?' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  expect(await page.getByLabel('E-post').inputValue()).toBe('neste@korps.no');
  const lastDay = page.getByRole('textbox', { name: 'Siste dag' });
  await lastDay.fill('01.02.2026');
  await page.getByRole('button', { name: 'Send invitasjon' }).click();
  await page.getByText('Velg i dag eller en senere dag.').waitFor();
  await lastDay.fill('');
  await page.getByLabel('Navn').fill('Nils Neste');
  await page.getByRole('button', { name: 'Send invitasjon' }).click();
  await page.getByRole('row', { name: /Nils Neste.*Invitert.*neste@korps\.no/ }).waitFor();
  await inspect(page, 'members');
  await call(page, 'POST', '/api/members/', { email: 'feil@korps.no', role: 'EMPLOYEE' });
  await page.reload();
  await page.setViewportSize(PHONE);
  await page.getByRole('button', { name: 'Fjern feil@korps.no' }).click();
  const question = page.getByRole('alertdialog');
  // Cells of the list end at the right there, and the dialog stands in one.
  expect(await question.evaluate((one) => getComputedStyle(one).textAlign)).toBe('start');
  await page.getByRole('button', { name: 'Trekk tilbake' }).click();
  await page.setViewportSize(DESKTOP);
  await page.getByText('Invitasjonen er trukket tilbake!').waitFor();

  const mail = await here.faktur.mailbox.take('neste@korps.no', isInvitation);
  const { pathname, search } = new URL(linkIn(mail, LINK));
  await follow(page, pathname + search);
  await page.getByText('Du er logget inn som kasserer@korps.no.').waitFor();
  expect(await page.getByRole('button', { name: 'Takk ja og logg inn' }).count()).toBe(0);
  await openMembers(page, true);

  const next = await visit(here.browser, here.faktur.url);
  await next.page.goto(linkIn(mail, LINK));
  await next.page.getByRole('heading', { name: 'Du er invitert' }).waitFor();
  const who = /^kasserer@korps\.no inviterer deg til .+ som eier\.$/;
  await next.page.getByText(who).waitFor();
  await inspect(next.page, 'invitation');
  await next.page.getByRole('button', { name: 'Takk ja og logg inn' }).click();
  await next.page.getByRole('cell', { name: 'Kari Nordmann' }).waitFor();
  await openMembers(next.page, true);
  await next.page.getByRole('button', { name: 'Fjern kasserer@korps.no' }).click();
  await next.page.getByRole('button', { name: 'Fjern', exact: true }).click();
  await next.page.getByText('Tilgangen er fjernet!').waitFor();
  await next.page.getByRole('row', { name: /kasserer/ }).waitFor({ state: 'detached' });

  // Used: the same link again.
  await next.page.goto(linkIn(mail, LINK));
  await next.page.getByText('Invitasjonen virker ikke lenger.').waitFor();

  // The open tab too notices, and shows nothing that it has read before.
  await page.getByRole('link', { name: 'Fakturaer', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Ingen bedrift å vise' }).waitFor();
  await page.getByText('siste dag er over, kan eieren gi deg en senere').waitFor();
  await inspect(page, 'no-company');
  expect(await page.getByRole('cell', { name: 'Kari Nordmann' }).count()).toBe(0);

  // An account without a company creates one.
  await page.getByRole('button', { name: 'Logg ut' }).first().click();
  await page.waitForURL(here.faktur.url);
  await createAccount(page, here.faktur, 'kasserer@korps.no');
  await page.goto('/invoices/');
  await page.getByRole('heading', { name: 'Ingen bedrift å vise' }).waitFor();
  await page.getByRole('button', { name: 'Opprett egen bedrift' }).click();
  await page.getByRole('button', { name: 'Opprett', exact: true }).click();
  await page.getByText('Fullfør profilen før du kan lage fakturaer').waitFor();
  expect(await page.getByLabel('Firmanavn').inputValue()).toBe('');
  expect(await page.getByRole('button', { name: 'Opprett egen bedrift' }).count()).toBe(0);
});

// WEB-28
test('an auditor sees everything, and no button that may not be used', async () => {
  const owner = await visit(here.browser, here.faktur.url);
  await createAccount(owner.page, here.faktur, 'eier@fjord.no');
  await completeProfile(owner.page);
  const kari = await addCustomer(owner.page, 'Kari Nordmann');
  const number = await register(owner.page, await addDraft(owner.page, kari.customer_number));
  await addDraft(owner.page, kari.customer_number);
  await call(owner.page, 'POST', '/api/members/', { email: 'revisor@tall.no', role: 'AUDITOR' });

  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await enter(page, 'revisor@tall.no');
  await page.getByRole('cell', { name: 'Kari Nordmann' }).first().waitFor();
  const gone = ['Registrer og send faktura', 'Sett til betalt', 'Send purring', 'Endre', 'Slett'];
  const expectNone = async () => {
    for (const name of gone) expect(await page.getByRole('button', { name }).count()).toBe(0);
  };
  await expectNone();
  expect(await page.getByRole('checkbox').count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Lag ny' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Eksporter' }).waitFor();
  await follow(page, `/invoices/${number}/`);
  await page.getByRole('link', { name: 'Vis PDF' }).waitFor();
  await expectNone();
  await follow(page, `/customers/${kari.customer_number}/`);
  await page.getByLabel('Navn').first().waitFor();
  expect(await page.getByLabel('Navn').first().isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: 'Lagre' }).count()).toBe(0);
  await follow(page, '/profile/');
  await page.getByLabel('Firmanavn').waitFor();
  expect(await page.getByLabel('Firmanavn').isDisabled()).toBe(true);
  expect(await page.getByRole('link', { name: 'Medlemmer' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Logg ut' }).first().waitFor();
  await inspect(page, 'profile-read-only');
  await follow(page, '/profile/reminder-settings/');
  await page.getByLabel('Minste beløp').waitFor();
  expect(await page.getByLabel('Minste beløp').isDisabled()).toBe(true);
  await follow(page, '/profile/export-settings/');
  await page.getByLabel('Kundefordringer').waitFor();
  expect(await page.getByLabel('Kundefordringer').isDisabled()).toBe(true);
  await follow(page, '/profile/agreements/');
  await page.getByLabel('Lengde på KID').waitFor();
  expect(await page.getByLabel('Lengde på KID').isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: 'Inngå KID-avtale' }).count()).toBe(0);
  await follow(page, '/profile/');
  await page.getByLabel('Firmanavn').waitFor();
  // A logo that is dropped is not sent, or it would be refused.
  const dropped = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['?'], 'logo.png', { type: 'image/png' }));
    return data;
  });
  await page.dispatchEvent('h1', 'drop', { dataTransfer: dropped });

  // The owner's export is not the auditor's to delete; an own one is.
  await call(owner.page, 'POST', '/api/exports/', { kind: 'XLSX', ...EXPORTED });
  await follow(page, '/invoices/export/');
  await page.getByRole('button', { name: /^Last ned Excel/ }).waitFor();
  expect(await page.getByRole('button', { name: /^Slett filen/ }).count()).toBe(0);
  await call(page, 'POST', '/api/exports/', { kind: 'XLSX', ...EXPORTED });
  await page.reload();
  await page.getByRole('button', { name: /^Slett filen/ }).waitFor();

  // Somebody who was invited has no company of their own, until they create one.
  await follow(page, '/profile/');
  await page.getByRole('button', { name: 'Opprett egen bedrift' }).click();
  await page.getByRole('button', { name: 'Opprett', exact: true }).click();
  await page.getByText('Fullfør profilen før du kan lage fakturaer').waitFor();
  expect(await page.getByLabel('Firmanavn').isDisabled()).toBe(false);
  await page.getByRole('button', { name: /^Bytt bedrift/ }).waitFor();
  expect(complaints).toEqual([]);
});

// MEM-12, WEB-28
test('screens, pencils and buttons of records and links are shown to those who may use them', async () => {
  const owner = await visit(here.browser, here.faktur.url);
  await createAccount(owner.page, here.faktur, 'eier@utleie.no');
  await completeProfile(owner.page);
  const kari = await addCustomer(owner.page, 'Kari Nordmann');
  const addGroup = async (group_name: string) =>
    call<{ uuid: string }>(owner.page, 'POST', '/api/customers/groups/create/', {
      group_name,
      customers: [kari.customer_number],
    });
  const group = await addGroup('Leietakere');
  const past = await addGroup('Tidligere leietakere');
  const today = todayInOslo();
  const { uuid } = await call<{ uuid: string }>(
    owner.page,
    'POST',
    '/api/invoices/recurring/create/',
    {
      name: 'Husleie',
      group_uuid: past.uuid,
      delivery_type: 'NONE',
      due_days: 14,
      invoice_lines: [RENT],
      interval: { unit: 'MONTH', count: 1 },
      day: Number(addDays(today, 1).slice(8)),
      first_date: addDays(today, 1),
      mode: 'DRAFT',
    },
  );
  const terms = { delivery_type: 'NONE', due_days: 14 };
  const addTemplate = async (name: string) =>
    call<{ id: number }>(owner.page, 'POST', '/api/invoices/template/create/', {
      ...terms,
      name,
      lines: [RENT],
    });
  await addTemplate('Leiekrav');
  const sent = { template: await addTemplate('Strømkrav'), group: await addGroup('Strømkunder') };
  // An employee who may not register may not change an assignment that does, nor what it sends from.
  await call(owner.page, 'POST', '/api/invoices/recurring/create/', {
    name: 'Strøm',
    template_id: sent.template.id,
    group_uuid: sent.group.uuid,
    interval: { unit: 'MONTH', count: 1 },
    day: Number(addDays(today, 1).slice(8)),
    first_date: addDays(today, 1),
    mode: 'SEND',
  });
  // Without its group the assignment waits.
  await call(owner.page, 'DELETE', `/api/customers/groups/${past.uuid}/`);
  await call(owner.page, 'POST', '/api/members/', { email: 'revisor@utleie.no', role: 'AUDITOR' });
  await call(owner.page, 'POST', '/api/members/', { email: 'hjelp@utleie.no', role: 'EMPLOYEE' });

  const auditor = await visit(here.browser, here.faktur.url);
  await enter(auditor.page, 'revisor@utleie.no');
  const employee = await visit(here.browser, here.faktur.url);
  await enter(employee.page, 'hjelp@utleie.no');
  // The last names are those that the employee misses: of what an assignment sends from.
  const screens = [
    [`/invoices/recurring/${uuid}/`, 'De neste datoene', ['Endre oppdraget', 'Slett fast oppdrag']],
    ['/customers/', 'Kari Nordmann', ['Endre Kari Nordmann']],
    [
      '/customers/groups/',
      'Leietakere',
      ['Fakturer Leietakere', 'Endre Leietakere'],
      'Strømkunder',
    ],
    ['/invoices/templates/', 'Leiekrav', ['Endre Leiekrav'], 'Strømkrav'],
    ['/invoices/recurring/', 'Strøm', ['Endre Husleie'], 'Strøm'],
    [`/customers/groups/${group.uuid}/edit/`, 'Navn på gruppen', ['Fakturer gruppen']],
  ] as const;
  for (const [path, content, names, refused] of screens) {
    await follow(employee.page, path);
    await follow(auditor.page, path);
    await auditor.page.getByText(content).first().waitFor();
    for (const name of names) {
      const action = ({ page }: typeof auditor) =>
        page.getByRole('button', { name }).or(page.getByRole('link', { name }));
      await action(employee).waitFor();
      expect([name, await action(auditor).count()]).toEqual([name, 0]);
    }
    if (refused) {
      const edit = employee.page.getByRole('link', { name: `Endre ${refused}` });
      await edit.waitFor({ state: 'detached' });
    }
    if (content === 'De neste datoene') {
      await auditor.page.getByRole('list', { name: content }).waitFor();
    }
  }
  for (const path of [
    `/customers/groups/${sent.group.uuid}/edit/`,
    `/invoices/templates/${sent.template.id}/edit/`,
  ]) {
    await follow(employee.page, path);
    await employee.page.getByText('«Strøm» sender fakturaer herfra av seg selv').waitFor();
    expect(await employee.page.getByRole('button', { name: 'Lagre' }).count()).toBe(0);
  }
  for (const { page, paths } of [
    { ...auditor, paths: ['/profile/members/', '/overview/share/'] },
    {
      ...employee,
      paths: [
        '/profile/members/',
        '/overview/share/',
        '/invoices/export/',
        '/profile/export-settings/',
      ],
    },
  ]) {
    for (const path of paths) {
      await follow(page, path);
      await page.getByRole('heading', { name: '404 - Finner ikke siden' }).waitFor();
    }
  }
  expect([...auditor.complaints, ...employee.complaints]).toEqual([]);
});

// MEM-18, WEB-28
test('an accountant with three companies goes from one to another, and exports the term of one', async () => {
  const names = ['Alfa Snekkeri AS', 'Beta Frisør ENK', 'Gamma Korps'];
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  const context = page.context();
  for (const [index, company_name] of names.entries()) {
    await context.clearCookies();
    await createAccount(page, here.faktur, `eier${index}@bedrift.no`);
    await call(page, 'POST', '/api/users/update/', { ...COMPANY, company_name });
    const customer = await addCustomer(page, `Kunde av ${company_name}`);
    await register(page, await addDraft(page, customer.customer_number));
    await call(page, 'POST', '/api/members/', {
      email: 'regnskap@tall.no',
      role: 'ACCOUNTANT',
    });
  }
  await context.clearCookies();
  for (const _ of names) await accept(page, 'regnskap@tall.no');
  await page.goto('/invoices/');

  const switcher = page.getByRole('button', { name: /^Bytt bedrift/ });
  const goTo = async (name: string) => {
    await switcher.click();
    await page.getByRole('menuitemradio', { name }).click();
    await page.getByRole('cell', { name: `Kunde av ${name}` }).waitFor();
    // The heading takes the focus last, which closes a menu that was opened meanwhile.
    await page.locator('h1:focus').waitFor();
  };
  await switcher.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemradio', { name: names[0] }).waitFor();
  await inspect(page, 'company-menu');
  await page.keyboard.press('Escape');
  await goTo('Beta Frisør ENK');
  await goTo('Alfa Snekkeri AS');

  await page.getByRole('link', { name: 'Eksporter' }).click();
  await page.getByRole('heading', { name: 'Eksporter', level: 1 }).waitFor();
  // The archive is the owner's.
  await page.getByRole('radio', { name: 'Excel' }).waitFor();
  expect(await page.getByRole('radio', { name: 'Alt (arkiv)' }).count()).toBe(0);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Eksporter', exact: true }).click();
  await (await saved).path();

  // Another tab goes over to another company: this one shows nothing of it.
  await goOverElsewhere(page, 'Gamma Korps');
  await page.getByRole('link', { name: 'Kunder', exact: true }).click();
  await page.getByRole('alertdialog', { name: /byttet bedrift/ }).waitFor();
  expect(await page.getByText('Kunde av Gamma Korps').count()).toBe(0);
  await page.getByRole('button', { name: 'Fortsett med Alfa Snekkeri AS' }).click();
  await page.getByRole('cell', { name: 'Kunde av Alfa Snekkeri AS', exact: true }).waitFor();

  // The owner has not let the accountant send.
  await follow(page, '/invoices/recurring/create/');
  await page.getByRole('radio', { name: 'Lag utkast' }).waitFor();
  expect(await page.getByRole('radio', { name: 'Send' }).count()).toBe(0);

  // A new customer is being typed while another tab goes over to another company.
  await follow(page, '/customers/create/');
  await page.getByLabel('Navn').first().fill('Ny kunde av Alfa');
  await goOverElsewhere(page, 'Gamma Korps');
  await page.getByRole('button', { name: 'Lagre', exact: true }).click();
  await page.getByRole('alertdialog', { name: /byttet bedrift/ }).waitFor();
  await inspect(page, 'other-company');
  await page.getByRole('button', { name: 'Fortsett med Alfa Snekkeri AS' }).click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  expect(await page.getByLabel('Navn').first().inputValue()).toBe('Ny kunde av Alfa');
  await page.getByRole('button', { name: 'Lagre', exact: true }).click();
  await page.getByRole('cell', { name: 'Ny kunde av Alfa', exact: true }).waitFor();

  // Input kept after an expired session belongs to its company: the same address shows another record in another one.
  await follow(page, '/customers/create/');
  await page.getByLabel('Navn').first().fill('Glemt kunde av Alfa');
  const cookies = await context.cookies();
  await context.clearCookies();
  await page.getByRole('button', { name: 'Lagre', exact: true }).click();
  await page.getByText('Det du skrev, er der når du har logget inn igjen.').waitFor();
  await context.addCookies(cookies);
  await page.goto('/invoices/');
  const notice = page.getByText('Noe du skrev, er ikke lagret.');
  await notice.waitFor();
  await goTo('Beta Frisør ENK');
  expect(await notice.count()).toBe(0);
  await page.getByRole('link', { name: 'Kunder', exact: true }).click();
  await page.getByRole('link', { name: 'Ny kunde', exact: true }).click();
  await page.getByRole('heading', { name: 'Opprett kunde' }).waitFor();
  expect(await page.getByLabel('Navn').first().inputValue()).toBe('');
  await goTo('Alfa Snekkeri AS');
  await page.getByRole('link', { name: 'Fortsett der du slapp' }).click();
  await page.getByText('Det du skrev, er hentet fram igjen.').waitFor();
  expect(await page.getByLabel('Navn').first().inputValue()).toBe('Glemt kunde av Alfa');

  // A mailed link names its company, which the session need not have.
  const { companies } = await call<{ companies: { uuid: string; name: string }[] }>(
    page,
    'GET',
    '/api/users/session/',
  );
  const uuidOf = (name: string) => companies.find((company) => company.name === name)?.uuid ?? '';
  const other = await context.newPage();
  await other.goto(`/invoices/?status=REGISTERED&company=${uuidOf('Gamma Korps')}`);
  await other.getByRole('alertdialog', { name: 'Lenken gjelder Gamma Korps' }).waitFor();
  expect(await other.getByText('Kunde av Alfa Snekkeri AS').count()).toBe(0);
  await inspect(other, 'linked-company');
  await other.getByRole('button', { name: 'Fortsett med Gamma Korps' }).click();
  await other.getByRole('cell', { name: 'Kunde av Gamma Korps' }).waitFor();
  expect(new URL(other.url()).search).toBe('?status=REGISTERED');
  await other.goto(`/invoices/?company=${crypto.randomUUID()}`);
  await other.getByText('Du har ikke tilgang til bedriften som lenken gjelder').waitFor();
  await other.getByRole('button', { name: 'Gå til Gamma Korps' }).click();
  await other.getByRole('cell', { name: 'Kunde av Gamma Korps' }).waitFor();

  // Also after logging in.
  await context.clearCookies();
  await other.goto(`/invoices/export/?company=${uuidOf('Beta Frisør ENK')}`);
  await other.getByLabel('E-post').fill('regnskap@tall.no');
  await other.getByRole('button', { name: 'Logg inn', exact: true }).click();
  await other.getByLabel('Kode').fill(await here.faktur.mailbox.takeCode('regnskap@tall.no'));
  await other.getByRole('button', { name: 'Ikke nå' }).click();
  await other.getByRole('button', { name: 'Fortsett med Beta Frisør ENK' }).click();
  await other.getByRole('cell', { name: 'Kunde av Beta Frisør ENK' }).waitFor();
  expect(complaints.filter((text) => !/40[19]/.test(text))).toEqual([]);
});

test('with members turned off, an invited member is told that only owners get in', async () => {
  const { faktur, browser } = withoutMembers;
  const owner = await visit(browser, faktur.url);
  await createAccount(owner.page, faktur, 'eier@dugnad.no');
  await completeProfile(owner.page);
  // The invitation was accepted while members were on.
  await faktur.ask('addMember', 'eier@dugnad.no', 'hjelper@dugnad.no');
  const { page } = await visit(browser, faktur.url);
  await createAccount(page, faktur, 'hjelper@dugnad.no');
  await page.goto('/invoices/');
  await page.getByText('Bare eiere kommer inn i bedriftene for tiden.').waitFor();
  await inspect(page, 'no-company-members-off');
  expect(await page.getByRole('button', { name: 'Opprett egen bedrift' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Logg ut' }).first().click();
  await page.waitForURL(faktur.url);
  await createAccount(page, faktur, 'hjelper@dugnad.no');
  await page.goto('/invoices/');
  await page.getByRole('heading', { name: 'Ingen bedrift å vise' }).waitFor();
  await owner.page.goto('/invoices/');
  await owner.page.getByRole('heading', { name: 'Fakturaer', level: 1 }).waitFor();
});
