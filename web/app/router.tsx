import { lazy, useState, type ComponentType } from 'react';
import { Route, Routes, useLocation } from 'react-router';

import { NotFound } from '../ui/NotFound.tsx';
import { RootLayout } from './shell/RootLayout.tsx';
import { RequireFeature, RequireNoSession, RequireSession } from './shell/SessionGates.tsx';
import { CodeGone } from '../lib/later-code.ts';
import { paths } from '../lib/paths.ts';
import {
  OPEN_SCREENS,
  SIGNED_IN_SCREENS,
  VISITOR_SCREENS,
  type PageModule,
  type Screen,
} from './screens.ts';
import { LoginPage } from '../features/session/LoginPage.tsx';

const open = OPEN_SCREENS.map(toRoute);
const visitors = VISITOR_SCREENS.map(toRoute);
const signedIn = SIGNED_IN_SCREENS.map(toRoute);

/** The routes of all screens (WEB-6), except `/`, which is a separate page (landing.html). */
export function Screens() {
  return (
    <Routes>
      <Route element={<RootLayout />}>
        {open}
        <Route element={<RequireNoSession />}>
          {/* Bundled with the app, because most users see this screen first and would notice a delay. */}
          <Route path={paths.login} element={<LoginPage />} />
          {visitors}
        </Route>
        <Route element={<RequireSession />}>{signedIn}</Route>
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  );
}

function toRoute(screen: Screen) {
  const Component = whenLoaded(screen);
  const element = screen.feature ? (
    <RequireFeature feature={screen.feature}>
      <Component />
    </RequireFeature>
  ) : (
    <Component />
  );
  return <Route key={screen.path} path={screen.path} element={element} />;
}

/**
 * Renders a screen at once when its code is loaded; React.lazy would still show the fallback for at least
 * 300 ms. React.lazy also keeps a failure for ever, so each navigation gets a new lazy component.
 */
function whenLoaded({ code }: Screen): ComponentType {
  const load = async () => ({ default: pageOf(await code.load().catch(reloadIfGone)) });
  let awaited: { readonly key: string; readonly Component: ComponentType } | undefined;
  const awaitedAt = (key: string) => {
    if (awaited?.key !== key) awaited = { key, Component: lazy(load) };
    return awaited.Component;
  };
  return function Ready() {
    const { key } = useLocation();
    const [Component] = useState(() => (code.loaded ? pageOf(code.loaded) : awaitedAt(key)));
    return <Component />;
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
