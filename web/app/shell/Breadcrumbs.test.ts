import { expect, test } from 'vitest';

import { crumbsOf } from './RootLayout.tsx';

const UUID = '8f7f5b3e-0000-4000-8000-000000000000';

// WEB-3
test.each([
  ['/', ''],
  ['/invoices/', 'Faktura'],
  ['/invoices/create/', 'Faktura > Ny'],
  ['/invoices/42/', 'Faktura > 42'],
  [`/invoices/${UUID}/`, 'Faktura > Detaljer'],
  ['/invoices/templates/7/edit/', 'Faktura > Mal > 7 > Endre'],
  ['/invoices/reminders/', 'Faktura > Forslag til purringer'],
  ['/customers/', 'Kundeliste'],
  [`/customers/groups/${UUID}/edit/`, 'Kundeliste > Grupper > Endre'],
  ['/payments/', 'Innbetalinger'],
  [`/payments/files/${UUID}/`, 'Innbetalinger > Fil > Detaljer'],
  ['/invoices/recurring/create/', 'Faktura > Fast oppdrag > Ny'],
  [`/invoices/recurring/${UUID}/edit/`, 'Faktura > Fast oppdrag > Endre'],
  ['/products/', 'Produkter'],
  ['/products/import/', 'Produkter > Importer'],
  ['/products/A%232%20%25/edit/', 'Produkter > A#2 % > Endre'],
  ['/profile/', 'Profil'],
  ['/profile/reminder-settings/', 'Profil > Purringer'],
  ['/profile/export-settings/', 'Profil > Kontoer for eksport'],
  ['/profile/agreements/', 'Profil > Avtaler'],
  ['/profile/members/', 'Profil > Medlemmer'],
  ['/profile/integrations/', 'Profil > Integrasjoner'],
  ['/profile/closing/', 'Profil > Avslutning'],
  ['/customers/import/', 'Kundeliste > Importer'],
  ['/invoices/export/', 'Faktura > Eksport'],
  ['/overview/share/', 'Oversikt > Del'],
  ['/privacy/', 'Personvern'],
  ['/auth/login/', 'Konto > Logg inn'],
  ['/auth/magic-link/', 'Konto > Kode'],
  ['/auth/signup/', 'Konto > Registrer deg'],
  ['/auth/invitation/', 'Konto > Invitasjon'],
  ['/emails/unsubscribe/', 'E-post > Avregistrer'],
  ['/f%C3%B8r/100%/', 'før > 100%'],
  ['/__proto__/toString/', '__proto__ > toString'],
])('%s is found at %s', (path, trail) => {
  expect(
    crumbsOf(path)
      .map((crumb) => crumb.label)
      .join(' > '),
  ).toBe(trail);
});

test('what has no screen of its own is no link', () => {
  expect(crumbsOf('/auth/login/').map((crumb) => crumb.isScreen)).toEqual([false, true]);
});

test('what is off has no name', () => {
  const trail = crumbsOf(`/payments/files/${UUID}/`, ['reminders']);
  expect(trail.map(({ label }) => label)).toEqual(['payments', 'files', 'Detaljer']);
});
