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
  {
    path: paths.privacy,
    label: 'Personvern',
    for: 'everyone',
    code: laterCode(async () => import('../features/privacy/PrivacyPage.tsx')),
  },
  {
    path: paths.unsubscribe,
    label: 'Avregistrer',
    for: 'everyone',
    code: laterCode(async () => import('../features/newsletter/UnsubscribePage.tsx')),
  },
  { path: paths.login, label: 'Logg inn', for: 'visitors' },
  {
    path: paths.signup,
    label: 'Registrer deg',
    for: 'visitors',
    code: laterCode(async () => import('../features/session/SignupPage.tsx')),
  },
  {
    path: paths.magicLink,
    label: 'Kode',
    for: 'visitors',
    code: laterCode(async () => import('../features/session/MagicLinkPage.tsx')),
  },
  {
    path: paths.invitation,
    label: 'Invitasjon',
    for: 'everyone',
    code: laterCode(async () => import('../features/member/InvitationPage.tsx')),
  },
  {
    path: paths.invoices,
    label: 'Faktura',
    menu: 'Fakturaer',
    code: laterCode(async () => import('../features/invoice/list/InvoiceListPage.tsx')),
  },
  {
    path: paths.invoiceCreate(),
    ...NEW,
    code: laterCode(async () => import('../features/invoice/editor/InvoiceCreatePage.tsx')),
  },
  {
    path: paths.templates,
    label: 'Mal',
    code: laterCode(async () => import('../features/invoice-template/TemplateListPage.tsx')),
  },
  {
    path: paths.templateCreate,
    ...NEW,
    code: laterCode(async () => import('../features/invoice-template/TemplateEditPage.tsx')),
  },
  {
    path: paths.template(':id'),
    code: laterCode(async () => import('../features/invoice-template/TemplatePage.tsx')),
  },
  {
    path: paths.templateEdit(':id'),
    ...EDIT,
    code: laterCode(async () => import('../features/invoice-template/TemplateEditPage.tsx')),
  },
  {
    path: paths.assignments,
    label: 'Fast oppdrag',
    feature: 'recurring',
    code: laterCode(async () => import('../features/recurring/AssignmentListPage.tsx')),
  },
  {
    path: paths.assignmentCreate,
    ...NEW,
    feature: 'recurring',
    code: laterCode(async () => import('../features/recurring/AssignmentEditPage.tsx')),
  },
  {
    path: paths.assignment(':uuid'),
    feature: 'recurring',
    code: laterCode(async () => import('../features/recurring/AssignmentPage.tsx')),
  },
  {
    path: paths.assignmentEdit(':uuid'),
    ...EDIT,
    feature: 'recurring',
    code: laterCode(async () => import('../features/recurring/AssignmentEditPage.tsx')),
  },
  {
    path: paths.reminderProposals,
    label: 'Forslag til purringer',
    feature: 'reminders',
    code: laterCode(async () => import('../features/reminder/ProposalsPage.tsx')),
  },
  {
    path: paths.exports(),
    label: 'Eksport',
    feature: 'export',
    code: laterCode(async () => import('../features/export/ExportPage.tsx')),
  },
  {
    path: paths.invoice(':id'),
    code: laterCode(async () => import('../features/invoice/detail/InvoicePage.tsx')),
  },
  {
    path: paths.invoiceEdit(':id'),
    ...EDIT,
    code: laterCode(async () => import('../features/invoice/editor/InvoiceEditPage.tsx')),
  },
  {
    path: paths.payments,
    label: 'Innbetalinger',
    menu: 'Innbetalinger',
    feature: 'payments',
    code: laterCode(async () => import('../features/bank-file/PaymentsPage.tsx')),
  },
  {
    path: paths.bankFile(':uuid'),
    feature: 'payments',
    code: laterCode(async () => import('../features/bank-file/BankFilePage.tsx')),
  },
  {
    path: paths.customers,
    label: 'Kundeliste',
    menu: 'Kunder',
    code: laterCode(async () => import('../features/customer/CustomerListPage.tsx')),
  },
  {
    path: paths.customerCreate,
    ...NEW,
    code: laterCode(async () => import('../features/customer/CustomerEditPage.tsx')),
  },
  {
    path: paths.customerImport,
    label: 'Importer',
    permission: 'edit',
    code: laterCode(async () => import('../features/customer-import/CustomerImportPage.tsx')),
  },
  {
    path: paths.groups,
    label: 'Grupper',
    code: laterCode(async () => import('../features/customer-group/GroupListPage.tsx')),
  },
  {
    path: paths.groupCreate,
    ...NEW,
    code: laterCode(async () => import('../features/customer-group/GroupEditPage.tsx')),
  },
  {
    path: paths.groupEdit(':uuid'),
    ...EDIT,
    code: laterCode(async () => import('../features/customer-group/GroupEditPage.tsx')),
  },
  {
    path: paths.customer(':id'),
    permission: 'edit',
    code: laterCode(async () => import('../features/customer/CustomerEditPage.tsx')),
  },
  {
    path: paths.customerEdit(':id'),
    ...EDIT,
    code: laterCode(async () => import('../features/customer/CustomerEditPage.tsx')),
  },
  {
    path: paths.products,
    label: 'Produkter',
    menu: 'Produkter',
    feature: 'products',
    code: laterCode(async () => import('../features/product/ProductListPage.tsx')),
  },
  {
    path: paths.productCreate,
    ...NEW,
    feature: 'products',
    code: laterCode(async () => import('../features/product/editor/ProductEditPage.tsx')),
  },
  {
    path: paths.productImport,
    label: 'Importer',
    feature: 'products',
    permission: 'edit',
    code: laterCode(async () => import('../features/product-import/ProductImportPage.tsx')),
  },
  {
    path: paths.productEdit(':number'),
    ...EDIT,
    feature: 'products',
    code: laterCode(async () => import('../features/product/editor/ProductEditPage.tsx')),
  },
  {
    path: paths.overview,
    label: 'Oversikt',
    menu: 'Oversikt',
    feature: 'overview',
    code: laterCode(async () => import('../features/overview/OverviewPage.tsx')),
  },
  {
    path: paths.overviewShare,
    label: 'Del',
    feature: 'overview',
    code: laterCode(async () => import('../features/overview/SharePage.tsx')),
  },
  {
    path: paths.profile,
    label: 'Profil',
    code: laterCode(async () => import('../features/profile/ProfilePage.tsx')),
  },
  {
    path: paths.members,
    label: 'Medlemmer',
    feature: 'members',
    code: laterCode(async () => import('../features/member/MembersPage.tsx')),
  },
];

/** The code of the screen at an address; undefined for an unknown address. */
export function codeAt(pathname: string): LaterCode<PageModule> | undefined {
  return SCREENS.find(({ path }) => matchPath(path, pathname))?.code;
}
