import { expect, test } from 'vitest';

import { SCREENS } from './routes.ts';

test('every screen is at its address, those of a feature with that alone (WEB-6)', () => {
  const byFeature = Object.groupBy(SCREENS, ({ feature }) => feature ?? 'always');
  const paths = Object.entries(byFeature).map(([feature, screens]) => [
    feature,
    screens.map(({ path }) => path).toSorted(),
  ]);
  expect(Object.fromEntries(paths)).toEqual({
    always: [
      '/auth/invitation/',
      '/auth/login/',
      '/auth/magic-link/',
      '/auth/signup/',
      '/customers/',
      '/customers/:id/',
      '/customers/:id/edit/',
      '/customers/create/',
      '/customers/groups/',
      '/customers/groups/:uuid/edit/',
      '/customers/groups/create/',
      '/customers/import/',
      '/emails/unsubscribe/',
      '/invoices/',
      '/invoices/:id/',
      '/invoices/:id/edit/',
      '/invoices/create/',
      '/invoices/templates/',
      '/invoices/templates/:id/',
      '/invoices/templates/:id/edit/',
      '/invoices/templates/create/',
      '/privacy/',
      '/profile/',
      '/profile/agreements/',
    ],
    recurring: [
      '/invoices/recurring/',
      '/invoices/recurring/:uuid/',
      '/invoices/recurring/:uuid/edit/',
      '/invoices/recurring/create/',
    ],
    reminders: ['/invoices/reminders/', '/profile/reminder-settings/'],
    export: ['/invoices/export/', '/profile/export-settings/'],
    quotes: ['/quotes/', '/quotes/:uuid/', '/quotes/:uuid/edit/', '/quotes/create/'],
    payments: ['/payments/', '/payments/files/:uuid/'],
    products: ['/products/', '/products/:number/edit/', '/products/create/', '/products/import/'],
    overview: ['/overview/', '/overview/share/'],
    members: ['/profile/members/'],
    integrations: ['/profile/integrations/'],
    closing: ['/profile/closing/'],
  });
});
