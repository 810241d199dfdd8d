import { lazy, type ComponentType } from 'react';
import { matchPath, Route, Routes } from 'react-router';

import { NotFound } from './layout/NotFound.tsx';
import { RootLayout } from './layout/RootLayout.tsx';
import { RequireNoSession, RequireSession } from './layout/SessionGates.tsx';
import { LandingPage } from './newsletter/pages/LandingPage.tsx';
import { LoginPage } from './session/pages/LoginPage.tsx';

interface Screen {
  readonly path: string;
  readonly Component: ComponentType;
  /** Fetches the screen's code ahead of its turn. */
  readonly preload: () => Promise<unknown>;
}

/** A screen whose code is fetched when somebody goes there. */
function screen<Name extends string>(
  path: string,
  name: Name,
  load: () => Promise<Record<Name, ComponentType>>,
): Screen {
  const Component = lazy<ComponentType>(async () => {
    const module = await load();
    return { default: module[name] };
  });
  return { path, Component, preload: load };
}

const behaviour = screen('', 'Behaviour', async () => import('./ui/Behaviour.tsx'));

const OPEN_SCREENS: readonly Screen[] = [
  // The first two that anybody sees come with the entry: another round trip would be felt there.
  { path: '/', Component: LandingPage, preload: async () => undefined },
  screen('/privacy', 'PrivacyPage', async () => import('./privacy/pages/PrivacyPage.tsx')),
  screen(
    '/emails/unsubscribe',
    'UnsubscribePage',
    async () => import('./newsletter/pages/UnsubscribePage.tsx'),
  ),
];

const VISITOR_SCREENS: readonly Screen[] = [
  { path: '/auth/login', Component: LoginPage, preload: async () => undefined },
  screen('/auth/signup', 'SignupPage', async () => import('./session/pages/SignupPage.tsx')),
  screen(
    '/auth/magic-link',
    'MagicLinkPage',
    async () => import('./session/pages/MagicLinkPage.tsx'),
  ),
];

const SIGNED_IN_SCREENS: readonly Screen[] = [
  screen('/invoices', 'InvoiceListPage', async () => import('./invoice/pages/InvoiceListPage.tsx')),
  screen(
    '/invoices/create',
    'InvoiceCreatePage',
    async () => import('./invoice/pages/InvoiceCreatePage.tsx'),
  ),
  screen(
    '/invoices/templates',
    'TemplateListPage',
    async () => import('./invoice-template/pages/TemplateListPage.tsx'),
  ),
  screen(
    '/invoices/templates/create',
    'TemplateCreatePage',
    async () => import('./invoice-template/pages/TemplateCreatePage.tsx'),
  ),
  screen(
    '/invoices/templates/:id',
    'TemplatePage',
    async () => import('./invoice-template/pages/TemplatePage.tsx'),
  ),
  screen(
    '/invoices/templates/:id/edit',
    'TemplateEditPage',
    async () => import('./invoice-template/pages/TemplateEditPage.tsx'),
  ),
  screen('/invoices/:id', 'InvoicePage', async () => import('./invoice/pages/InvoicePage.tsx')),
  screen(
    '/customers',
    'CustomerListPage',
    async () => import('./customer/pages/CustomerListPage.tsx'),
  ),
  screen(
    '/customers/create',
    'CustomerCreatePage',
    async () => import('./customer/pages/CustomerCreatePage.tsx'),
  ),
  screen(
    '/customers/groups',
    'GroupListPage',
    async () => import('./customer-group/pages/GroupListPage.tsx'),
  ),
  screen(
    '/customers/groups/create',
    'GroupCreatePage',
    async () => import('./customer-group/pages/GroupCreatePage.tsx'),
  ),
  screen(
    '/customers/groups/:uuid/edit',
    'GroupEditPage',
    async () => import('./customer-group/pages/GroupEditPage.tsx'),
  ),
  screen(
    '/customers/:id',
    'CustomerEditPage',
    async () => import('./customer/pages/CustomerEditPage.tsx'),
  ),
  screen(
    '/customers/:id/edit',
    'CustomerEditPage',
    async () => import('./customer/pages/CustomerEditPage.tsx'),
  ),
  screen('/profile', 'ProfilePage', async () => import('./profile/pages/ProfilePage.tsx')),
];

/** Every screen at its address (specification § 2). */
export function Screens() {
  return (
    <Routes>
      <Route element={<RootLayout />}>
        {OPEN_SCREENS.map(toRoute)}
        <Route element={<RequireNoSession />}>{VISITOR_SCREENS.map(toRoute)}</Route>
        <Route element={<RequireSession />}>
          <Route element={<behaviour.Component />}>{SIGNED_IN_SCREENS.map(toRoute)}</Route>
        </Route>
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  );
}

function toRoute({ path, Component }: Screen) {
  return <Route key={path} path={path} element={<Component />} />;
}

/**
 * Begins to fetch the code of the screen at an address, which would otherwise wait until it is
 * known who is logged in. A failure is left to the screen itself, which tries again.
 */
export function preloadScreen(pathname: string): void {
  const isThere = ({ path }: Screen) => matchPath(path, pathname) !== null;
  const signedIn = SIGNED_IN_SCREENS.filter(isThere).slice(0, 1);
  const found = [...OPEN_SCREENS, ...VISITOR_SCREENS].filter(isThere);
  for (const { preload } of signedIn.length > 0 ? [behaviour, ...signedIn] : found) {
    preload().catch(() => undefined);
  }
}
