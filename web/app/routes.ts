import type { ComponentType } from 'react';
import { matchPath } from 'react-router';

import type { Feature } from '../../domain/api/endpoint.ts';
import type { Permission } from '../../domain/permission.ts';
import { laterCode, type LaterCode } from '../lib/later-code.ts';
import { paths } from '../lib/paths.ts';

/** A module whose only export is the page component of a screen. */
export type PageModule = Readonly<Record<string, ComponentType>>;

export interface Place {
  readonly path: string;
  /** The name in the breadcrumbs (WEB-3); absent for the address of a record, which shows its number. */
  readonly label?: string;
  /** The feature that the place belongs to. When it is off, the place does not exist. */
  readonly feature?: Feature;
}

export interface Screen extends Place {
  readonly menu?: string;
  /** Those who may open it; users, who are logged in, by default. */
  readonly for?: 'everyone' | 'visitors';
  /** The permission to save its form; for others the form is read-only. */
  readonly permission?: Permission;
  /** The permission to open a screen of a feature; for others it does not exist (WEB-28). */
  readonly needs?: Permission;
  /** Whether each visit begins with the search and the page in its address, as those of lists do. */
  readonly remounts?: boolean;
  /** Absent for the login screen, which is bundled with the app. */
  readonly code?: LaterCode<PageModule>;
}

export const PLACES_WITHOUT_SCREEN: readonly Place[] = [
  { path: '/overview/', label: 'Oversikt' },
  { path: '/auth/', label: 'Konto' },
  { path: '/emails/', label: 'E-post' },
  { path: '/payments/files/', label: 'Fil', feature: 'payments' },
];

/** The forms of a new record and of a stored one. */
const NEW = { label: 'Ny', permission: 'edit' } as const;
const EDIT = { label: 'Endre', permission: 'edit' } as const;

/** Every screen of the app (WEB-6). Exact paths come before paths with parameters. */
export const SCREENS: readonly Screen[] = [
  screen(
    { path: paths.privacy, label: 'Personvern', for: 'everyone' },
    async () => import('../features/privacy/PrivacyPage.tsx'),
  ),
  screen(
    { path: paths.unsubscribe, label: 'Avregistrer', for: 'everyone' },
    async () => import('../features/newsletter/UnsubscribePage.tsx'),
  ),
  { path: paths.login, label: 'Logg inn', for: 'visitors' },
  screen(
    { path: paths.signup, label: 'Registrer deg', for: 'visitors' },
    async () => import('../features/session/SignupPage.tsx'),
  ),
  screen(
    { path: paths.magicLink, label: 'Kode', for: 'visitors' },
    async () => import('../features/session/MagicLinkPage.tsx'),
  ),
  screen(
    { path: paths.invitation, label: 'Invitasjon', for: 'everyone' },
    async () => import('../features/member/InvitationPage.tsx'),
  ),
  screen(
    { path: paths.invoices, label: 'Faktura', menu: 'Fakturaer', remounts: true },
    async () => import('../features/invoice/list/InvoiceListPage.tsx'),
  ),
  screen(
    { path: paths.invoiceCreate(), ...NEW },
    async () => import('../features/invoice/editor/InvoiceCreatePage.tsx'),
  ),
  screen(
    { path: paths.templates, label: 'Mal' },
    async () => import('../features/invoice-template/TemplateListPage.tsx'),
  ),
  ...forms(
    { create: paths.templateCreate, edit: paths.templateEdit(':id') },
    async () => import('../features/invoice-template/TemplateEditPage.tsx'),
  ),
  screen(
    { path: paths.template(':id') },
    async () => import('../features/invoice-template/TemplatePage.tsx'),
  ),
  screen(
    { path: paths.assignments, label: 'Fast oppdrag', feature: 'recurring' },
    async () => import('../features/recurring/AssignmentListPage.tsx'),
  ),
  ...forms(
    { create: paths.assignmentCreate, edit: paths.assignmentEdit(':uuid'), feature: 'recurring' },
    async () => import('../features/recurring/AssignmentEditPage.tsx'),
  ),
  screen(
    { path: paths.assignment(':uuid'), feature: 'recurring' },
    async () => import('../features/recurring/AssignmentPage.tsx'),
  ),
  screen(
    { path: paths.reminderProposals, label: 'Forslag til purringer', feature: 'reminders' },
    async () => import('../features/reminder/ProposalsPage.tsx'),
  ),
  screen(
    { path: paths.exports(), label: 'Eksport', feature: 'export', needs: 'export' },
    async () => import('../features/export/ExportPage.tsx'),
  ),
  screen(
    { path: paths.invoice(':id') },
    async () => import('../features/invoice/detail/InvoicePage.tsx'),
  ),
  screen(
    { path: paths.invoiceEdit(':id'), ...EDIT },
    async () => import('../features/invoice/editor/InvoiceEditPage.tsx'),
  ),
  screen(
    { path: paths.quotes, label: 'Tilbud', menu: 'Tilbud', feature: 'quotes', remounts: true },
    async () => import('../features/quote/QuoteListPage.tsx'),
  ),
  ...forms(
    { create: paths.quoteCreate, edit: paths.quoteEdit(':uuid'), feature: 'quotes' },
    async () => import('../features/quote/QuoteEditPage.tsx'),
  ),
  screen(
    { path: paths.quote(':uuid'), feature: 'quotes' },
    async () => import('../features/quote/QuotePage.tsx'),
  ),
  screen(
    { path: paths.payments, label: 'Innbetalinger', menu: 'Innbetalinger', feature: 'payments' },
    async () => import('../features/bank-file/PaymentsPage.tsx'),
  ),
  screen(
    { path: paths.bankFile(':uuid'), feature: 'payments' },
    async () => import('../features/bank-file/BankFilePage.tsx'),
  ),
  screen(
    { path: paths.customers, label: 'Kundeliste', menu: 'Kunder', remounts: true },
    async () => import('../features/customer/CustomerListPage.tsx'),
  ),
  ...forms(
    { create: paths.customerCreate, edit: paths.customerEdit(':id') },
    async () => import('../features/customer-page/CustomerEditPage.tsx'),
  ),
  screen(
    { path: paths.customerImport, label: 'Importer', permission: 'edit' },
    async () => import('../features/customer-import/CustomerImportPage.tsx'),
  ),
  screen(
    { path: paths.groups, label: 'Grupper' },
    async () => import('../features/customer-group/GroupListPage.tsx'),
  ),
  ...forms(
    { create: paths.groupCreate, edit: paths.groupEdit(':uuid') },
    async () => import('../features/customer-group/GroupEditPage.tsx'),
  ),
  screen(
    { path: paths.customer(':id'), permission: 'edit' },
    async () => import('../features/customer-page/CustomerEditPage.tsx'),
  ),
  screen(
    {
      path: paths.products,
      label: 'Produkter',
      menu: 'Produkter',
      feature: 'products',
      remounts: true,
    },
    async () => import('../features/product/ProductListPage.tsx'),
  ),
  ...forms(
    { create: paths.productCreate, edit: paths.productEdit(':number'), feature: 'products' },
    async () => import('../features/product/editor/ProductEditPage.tsx'),
  ),
  screen(
    { path: paths.productImport, label: 'Importer', feature: 'products', permission: 'edit' },
    async () => import('../features/product-import/ProductImportPage.tsx'),
  ),
  screen(
    { path: paths.overview, label: 'Oversikt', menu: 'Oversikt', feature: 'overview' },
    async () => import('../features/overview/OverviewPage.tsx'),
  ),
  screen(
    { path: paths.overviewShare, label: 'Del', feature: 'overview', needs: 'members' },
    async () => import('../features/overview/SharePage.tsx'),
  ),
  screen(
    { path: paths.profile, label: 'Profil' },
    async () => import('../features/profile/ProfilePage.tsx'),
  ),
  screen(
    {
      path: paths.reminderSettings,
      label: 'Purringer',
      feature: 'reminders',
      permission: 'profile',
    },
    async () => import('../features/profile/ReminderSettingsPage.tsx'),
  ),
  screen(
    {
      path: paths.exportSettings,
      label: 'Kontoer for eksport',
      feature: 'export',
      needs: 'export',
      permission: 'edit',
    },
    async () => import('../features/export-settings/ExportSettingsPage.tsx'),
  ),
  screen(
    { path: paths.agreements, label: 'Avtaler', permission: 'profile' },
    async () => import('../features/profile/AgreementsPage.tsx'),
  ),
  screen(
    { path: paths.members, label: 'Medlemmer', feature: 'members', needs: 'members' },
    async () => import('../features/member/MembersPage.tsx'),
  ),
  screen(
    { path: paths.integrations, label: 'Integrasjoner', feature: 'integrations' },
    async () => import('../features/integration/IntegrationsPage.tsx'),
  ),
  screen(
    { path: paths.closing, label: 'Avslutning', feature: 'closing', needs: 'archive' },
    async () => import('../features/closing/ClosingPage.tsx'),
  ),
];

/** The forms of a new record and of a stored one, which are one page. */
function forms(
  { create, edit, feature }: Pick<Screen, 'feature'> & Readonly<Record<'create' | 'edit', string>>,
  load: () => Promise<PageModule>,
): readonly Screen[] {
  const { code } = screen({ path: create }, load);
  return [
    { path: create, ...NEW, feature, code },
    { path: edit, ...EDIT, feature, code },
  ];
}

function screen(facts: Screen, load: () => Promise<PageModule>): Screen {
  return { ...facts, code: laterCode(load) };
}

/** The code of the screen at an address; undefined for an unknown address. */
export function codeAt(pathname: string): LaterCode<PageModule> | undefined {
  return SCREENS.find(({ path }) => matchPath(path, pathname))?.code;
}
