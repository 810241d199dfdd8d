import { lazy, useState, type ComponentType } from 'react';
import { Route, Routes, useLocation } from 'react-router';

import { NotFound } from '../ui/Page.tsx';
import { RootLayout } from './shell/RootLayout.tsx';
import { RequireFeature, RequireNoSession, RequireSession } from './shell/SessionGates.tsx';
import { CodeGone, type LaterCode } from '../lib/later-code.ts';
import { Allowed } from '../features/session/Allowed.tsx';
import { SCREENS, type PageModule, type Screen } from './routes.ts';
import { LoginPage } from '../features/session/LoginPage.tsx';
import type { Place } from './GuardedRouter.tsx';

const { everyone, visitors, users } = Object.groupBy(SCREENS, (screen) => screen.for ?? 'users');
const routes = {
  everyone: everyone?.map(toRoute),
  visitors: visitors?.map(toRoute),
  users: users?.map(toRoute),
};

/** All screens, except `/`, which is a separate page (landing.html). */
export function Screens() {
  return (
    <Routes>
      <Route element={<RootLayout />}>
        {routes.everyone}
        <Route element={<RequireNoSession />}>{routes.visitors}</Route>
        <Route element={<RequireSession />}>{routes.users}</Route>
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  );
}

function toRoute({ path, feature, permission, needs, remounts = false, code }: Screen) {
  // The login screen is bundled with the app: most users see it first and would notice a delay.
  const Component = code ? whenLoaded(code, remounts) : LoginPage;
  const page = permission ? (
    <Allowed permission={permission}>
      <Component />
    </Allowed>
  ) : (
    <Component />
  );
  const element = feature ? <RequireFeature {...{ feature, needs }}>{page}</RequireFeature> : page;
  return <Route key={path} path={path} element={element} />;
}

/**
 * Renders a screen at once when its code is loaded; React.lazy would still show the fallback for at least
 * 300 ms. React.lazy also keeps a failure for ever, so each navigation gets a new lazy component.
 */
function whenLoaded(code: LaterCode<PageModule>, remounts: boolean): ComponentType {
  const load = async () => ({ default: pageOf(await code.load().catch(reloadIfGone)) });
  let awaited: { readonly key: string; readonly Component: ComponentType } | undefined;
  const awaitedAt = (key: string) => {
    if (awaited?.key !== key) awaited = { key, Component: lazy(load) };
    return awaited.Component;
  };
  return function Ready() {
    const { key, state: visit } = useLocation() as Place;
    const [Component] = useState(() => (code.loaded ? pageOf(code.loaded) : awaitedAt(key)));
    // Another record is another screen: a dialog that is open about one must not show the next. So is the same one that
    // was left meanwhile: a form that was saved there would do nothing more.
    return <Component key={remounts ? key : visit} />;
  };
}

/** Reloads the page when the code's file is gone. Once per visit to a screen, because the reload may not help. */
async function reloadIfGone(error: unknown): Promise<never> {
  const state = window.history.state as { isReloaded?: true } | null;
  if (!(error instanceof CodeGone) || state?.isReloaded) throw error;
  window.history.replaceState({ ...state, isReloaded: true }, '');
  window.location.reload();
  return new Promise(() => undefined);
}

function pageOf(module: PageModule): ComponentType {
  const [page] = Object.values(module);
  if (!page) throw new Error('a screen has no page');
  return page;
}
