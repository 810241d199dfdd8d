import type { ComponentType } from 'react';

import type { Feature } from '../domain/feature.ts';
import { laterCode, type LaterCode } from './later-code.ts';

/** The module of a screen's page, which exports nothing else. */
export type PageModule = Readonly<Record<string, ComponentType>>;

/** A screen whose code is fetched when somebody goes there. */
export interface Screen {
  readonly path: string;
  /** There is no such screen where this is off. */
  readonly feature: Feature | undefined;
  readonly code: LaterCode<PageModule>;
}

export const OPEN_SCREENS = [
  screen('/privacy', async () => import('./privacy/pages/PrivacyPage.tsx')),
  screen('/emails/unsubscribe', async () => import('./newsletter/pages/UnsubscribePage.tsx')),
] as const;

export const VISITOR_SCREENS = [
  screen('/auth/signup', async () => import('./session/pages/SignupPage.tsx')),
  screen('/auth/magic-link', async () => import('./session/pages/MagicLinkPage.tsx')),
] as const;

export const SIGNED_IN_SCREENS = [
  screen('/invoices', async () => import('./invoice/pages/InvoiceListPage.tsx')),
  screen('/invoices/create', async () => import('./invoicing/pages/InvoiceCreatePage.tsx')),
  screen(
    '/invoices/templates',
    async () => import('./invoice-template/pages/TemplateListPage.tsx'),
  ),
  screen(
    '/invoices/templates/create',
    async () => import('./invoice-template/pages/TemplateCreatePage.tsx'),
  ),
  screen(
    '/invoices/templates/:id',
    async () => import('./invoice-template/pages/TemplatePage.tsx'),
  ),
  screen(
    '/invoices/templates/:id/edit',
    async () => import('./invoice-template/pages/TemplateEditPage.tsx'),
  ),
  screen(
    '/invoices/recurring',
    async () => import('./recurring/pages/AssignmentListPage.tsx'),
    'recurring',
  ),
  screen(
    '/invoices/recurring/create',
    async () => import('./recurring/pages/AssignmentCreatePage.tsx'),
    'recurring',
  ),
  screen(
    '/invoices/recurring/:uuid',
    async () => import('./recurring/pages/AssignmentPage.tsx'),
    'recurring',
  ),
  screen(
    '/invoices/recurring/:uuid/edit',
    async () => import('./recurring/pages/AssignmentEditPage.tsx'),
    'recurring',
  ),
  screen(
    '/invoices/reminders',
    async () => import('./reminder/pages/ProposalsPage.tsx'),
    'reminders',
  ),
  screen('/invoices/:id', async () => import('./invoice/pages/InvoicePage.tsx')),
  screen('/invoices/:id/edit', async () => import('./invoicing/pages/InvoiceEditPage.tsx')),
  screen('/customers', async () => import('./customer/pages/CustomerListPage.tsx')),
  screen('/customers/create', async () => import('./customer/pages/CustomerCreatePage.tsx')),
  screen('/customers/import', async () => import('./customer-import/pages/CustomerImportPage.tsx')),
  screen('/customers/groups', async () => import('./customer-group/pages/GroupListPage.tsx')),
  screen(
    '/customers/groups/create',
    async () => import('./customer-group/pages/GroupCreatePage.tsx'),
  ),
  screen(
    '/customers/groups/:uuid/edit',
    async () => import('./customer-group/pages/GroupEditPage.tsx'),
  ),
  screen('/customers/:id', async () => import('./customer/pages/CustomerEditPage.tsx')),
  screen('/customers/:id/edit', async () => import('./customer/pages/CustomerEditPage.tsx')),
  screen('/payments', async () => import('./bank-file/pages/PaymentsPage.tsx'), 'payments'),
  screen(
    '/payments/files/:uuid',
    async () => import('./bank-file/pages/BankFilePage.tsx'),
    'payments',
  ),
  screen('/profile', async () => import('./profile/pages/ProfilePage.tsx')),
] as const;

function screen(path: string, load: () => Promise<PageModule>, feature?: Feature): Screen {
  return { path, feature, code: laterCode(load) };
}

/**
 * Fetches the code of the screen at an address. When it fails, the screen tries again as it is shown.
 */
export async function preloadScreen(pathname: string): Promise<void> {
  const screens = [...OPEN_SCREENS, ...VISITOR_SCREENS, ...SIGNED_IN_SCREENS];
  const found = screens.find(({ path }) => matches(path, pathname));
  await found?.code.load().catch(() => undefined);
}

/** As the router matches: exact paths come before those with a parameter. */
function matches(path: string, pathname: string): boolean {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`).test(pathname);
}
