import type { ComponentType } from 'react';

import type { Feature } from '../../domain/api/endpoint.ts';
import { laterCode, type LaterCode } from '../lib/later-code.ts';

/** A module whose only export is the page component of a screen. */
export type PageModule = Readonly<Record<string, ComponentType>>;

/** A screen whose code is loaded when a user opens it. */
export interface Screen {
  readonly path: string;
  /** The feature that the screen belongs to. When it is off, the screen does not exist. */
  readonly feature: Feature | undefined;
  readonly code: LaterCode<PageModule>;
}

export const OPEN_SCREENS = [
  screen('/privacy', async () => import('../features/privacy/PrivacyPage.tsx')),
  screen('/emails/unsubscribe', async () => import('../features/newsletter/UnsubscribePage.tsx')),
] as const;

export const VISITOR_SCREENS = [
  screen('/auth/signup', async () => import('../features/session/SignupPage.tsx')),
  screen('/auth/magic-link', async () => import('../features/session/MagicLinkPage.tsx')),
] as const;

export const SIGNED_IN_SCREENS = [
  screen('/invoices', async () => import('../features/invoice/list/InvoiceListPage.tsx')),
  screen(
    '/invoices/create',
    async () => import('../features/invoice/editor/InvoiceCreatePage.tsx'),
  ),
  screen(
    '/invoices/templates',
    async () => import('../features/invoice-template/TemplateListPage.tsx'),
  ),
  screen(
    '/invoices/templates/create',
    async () => import('../features/invoice-template/TemplateCreatePage.tsx'),
  ),
  screen(
    '/invoices/templates/:id',
    async () => import('../features/invoice-template/TemplatePage.tsx'),
  ),
  screen(
    '/invoices/templates/:id/edit',
    async () => import('../features/invoice-template/TemplateEditPage.tsx'),
  ),
  screen(
    '/invoices/recurring',
    async () => import('../features/recurring/AssignmentListPage.tsx'),
    'recurring',
  ),
  screen(
    '/invoices/recurring/create',
    async () => import('../features/recurring/AssignmentCreatePage.tsx'),
    'recurring',
  ),
  screen(
    '/invoices/recurring/:uuid',
    async () => import('../features/recurring/AssignmentPage.tsx'),
    'recurring',
  ),
  screen(
    '/invoices/recurring/:uuid/edit',
    async () => import('../features/recurring/AssignmentEditPage.tsx'),
    'recurring',
  ),
  screen(
    '/invoices/reminders',
    async () => import('../features/reminder/ProposalsPage.tsx'),
    'reminders',
  ),
  screen('/invoices/:id', async () => import('../features/invoice/detail/InvoicePage.tsx')),
  screen(
    '/invoices/:id/edit',
    async () => import('../features/invoice/editor/InvoiceEditPage.tsx'),
  ),
  screen('/customers', async () => import('../features/customer/CustomerListPage.tsx')),
  screen('/customers/create', async () => import('../features/customer/CustomerCreatePage.tsx')),
  screen(
    '/customers/import',
    async () => import('../features/customer-import/CustomerImportPage.tsx'),
  ),
  screen('/customers/groups', async () => import('../features/customer-group/GroupListPage.tsx')),
  screen(
    '/customers/groups/create',
    async () => import('../features/customer-group/GroupCreatePage.tsx'),
  ),
  screen(
    '/customers/groups/:uuid/edit',
    async () => import('../features/customer-group/GroupEditPage.tsx'),
  ),
  screen('/customers/:id', async () => import('../features/customer/CustomerEditPage.tsx')),
  screen('/customers/:id/edit', async () => import('../features/customer/CustomerEditPage.tsx')),
  screen('/payments', async () => import('../features/bank-file/PaymentsPage.tsx'), 'payments'),
  screen(
    '/payments/files/:uuid',
    async () => import('../features/bank-file/BankFilePage.tsx'),
    'payments',
  ),
  screen('/profile', async () => import('../features/profile/ProfilePage.tsx')),
] as const;

function screen(path: string, load: () => Promise<PageModule>, feature?: Feature): Screen {
  return { path, feature, code: laterCode(load) };
}

/** Loads the code of the screen at an address. If that fails, the screen tries again when it is rendered. */
export async function preloadScreen(pathname: string): Promise<void> {
  const screens = [...OPEN_SCREENS, ...VISITOR_SCREENS, ...SIGNED_IN_SCREENS];
  const found = screens.find(({ path }) => matches(path, pathname));
  await found?.code.load().catch(() => undefined);
}

/** Matches like the router, provided that exact paths come before paths with parameters in the list. */
function matches(path: string, pathname: string): boolean {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`).test(pathname);
}
