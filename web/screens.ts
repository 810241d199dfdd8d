import type { ComponentType } from 'react';

import type { Feature } from '../domain/feature.ts';

/** A screen whose code is fetched when somebody goes there. */
export interface Screen {
  readonly path: string;
  /** There is no such screen where this is off. */
  readonly feature: Feature | undefined;
  /** Fetches its code, once. */
  readonly load: () => Promise<ComponentType>;
  /** What has been fetched. */
  readonly loaded: ComponentType | undefined;
}

export const OPEN_SCREENS = [
  screen('/privacy', async () => (await import('./privacy/pages/PrivacyPage.tsx')).PrivacyPage),
  screen(
    '/emails/unsubscribe',
    async () => (await import('./newsletter/pages/UnsubscribePage.tsx')).UnsubscribePage,
  ),
] as const;

export const VISITOR_SCREENS = [
  screen('/auth/signup', async () => (await import('./session/pages/SignupPage.tsx')).SignupPage),
  screen(
    '/auth/magic-link',
    async () => (await import('./session/pages/MagicLinkPage.tsx')).MagicLinkPage,
  ),
] as const;

export const SIGNED_IN_SCREENS = [
  screen(
    '/invoices',
    async () => (await import('./invoice/pages/InvoiceListPage.tsx')).InvoiceListPage,
  ),
  screen(
    '/invoices/create',
    async () => (await import('./invoicing/pages/InvoiceCreatePage.tsx')).InvoiceCreatePage,
  ),
  screen(
    '/invoices/templates',
    async () => (await import('./invoice-template/pages/TemplateListPage.tsx')).TemplateListPage,
  ),
  screen(
    '/invoices/templates/create',
    async () =>
      (await import('./invoice-template/pages/TemplateCreatePage.tsx')).TemplateCreatePage,
  ),
  screen(
    '/invoices/templates/:id',
    async () => (await import('./invoice-template/pages/TemplatePage.tsx')).TemplatePage,
  ),
  screen(
    '/invoices/templates/:id/edit',
    async () => (await import('./invoice-template/pages/TemplateEditPage.tsx')).TemplateEditPage,
  ),
  screen(
    '/invoices/recurring',
    async () => (await import('./recurring/pages/AssignmentListPage.tsx')).AssignmentListPage,
    'recurring',
  ),
  screen(
    '/invoices/recurring/create',
    async () => (await import('./recurring/pages/AssignmentCreatePage.tsx')).AssignmentCreatePage,
    'recurring',
  ),
  screen(
    '/invoices/recurring/:uuid',
    async () => (await import('./recurring/pages/AssignmentPage.tsx')).AssignmentPage,
    'recurring',
  ),
  screen(
    '/invoices/recurring/:uuid/edit',
    async () => (await import('./recurring/pages/AssignmentEditPage.tsx')).AssignmentEditPage,
    'recurring',
  ),
  screen(
    '/invoices/:id',
    async () => (await import('./invoice/pages/InvoicePage.tsx')).InvoicePage,
  ),
  screen(
    '/customers',
    async () => (await import('./customer/pages/CustomerListPage.tsx')).CustomerListPage,
  ),
  screen(
    '/customers/create',
    async () => (await import('./customer/pages/CustomerCreatePage.tsx')).CustomerCreatePage,
  ),
  screen(
    '/customers/groups',
    async () => (await import('./customer-group/pages/GroupListPage.tsx')).GroupListPage,
  ),
  screen(
    '/customers/groups/create',
    async () => (await import('./customer-group/pages/GroupCreatePage.tsx')).GroupCreatePage,
  ),
  screen(
    '/customers/groups/:uuid/edit',
    async () => (await import('./customer-group/pages/GroupEditPage.tsx')).GroupEditPage,
  ),
  screen(
    '/customers/:id',
    async () => (await import('./customer/pages/CustomerEditPage.tsx')).CustomerEditPage,
  ),
  screen(
    '/customers/:id/edit',
    async () => (await import('./customer/pages/CustomerEditPage.tsx')).CustomerEditPage,
  ),
  screen(
    '/payments',
    async () => (await import('./bank-file/pages/PaymentsPage.tsx')).PaymentsPage,
    'payments',
  ),
  screen(
    '/payments/files/:uuid',
    async () => (await import('./bank-file/pages/BankFilePage.tsx')).BankFilePage,
    'payments',
  ),
  screen('/profile', async () => (await import('./profile/pages/ProfilePage.tsx')).ProfilePage),
] as const;

function screen(path: string, load: () => Promise<ComponentType>, feature?: Feature): Screen {
  let loaded: ComponentType | undefined;
  return {
    path,
    feature,
    load: async () => (loaded ??= await load()),
    get loaded() {
      return loaded;
    },
  };
}

/**
 * Fetches the code of the screen at an address. When it fails, the screen tries again as it is shown.
 */
export async function preloadScreen(pathname: string): Promise<void> {
  const screens = [...OPEN_SCREENS, ...VISITOR_SCREENS, ...SIGNED_IN_SCREENS];
  const found = screens.find(({ path }) => matches(path, pathname));
  await found?.load().catch(() => undefined);
}

/** As the router matches: exact paths come before those with a parameter. */
function matches(path: string, pathname: string): boolean {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`).test(pathname);
}
