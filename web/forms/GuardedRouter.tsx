import { startTransition, useLayoutEffect, useState, type ReactNode } from 'react';
import {
  NavigationType,
  parsePath,
  Router,
  UNSAFE_createBrowserHistory as createBrowserHistory,
  type Navigator,
  type To,
} from 'react-router';

import { findDirtyForm, leave } from '../lib/leaving.ts';

type BrowserHistory = ReturnType<typeof createBrowserHistory>;
type Update = Parameters<Parameters<BrowserHistory['listen']>[0]>[0];
type Shown = Pick<Update, 'action' | 'location'>;

/**
 * React Router's BrowserRouter with a question before a screen with unsaved input is left, by a link or by
 * the browser's buttons. React Router's own useBlocker needs its data router, which adds 18 kB for every
 * visitor (decision 5).
 */
export function GuardedRouter({ children }: { children: ReactNode }) {
  const [history] = useState(openHistory);
  const [shown, setShown] = useState<Shown>(history.first);
  useLayoutEffect(
    () => history.listen((update) => startTransition(() => setShown(update))),
    [history],
  );
  return (
    <Router location={shown.location} navigationType={shown.action} navigator={history.navigator}>
      {children}
    </Router>
  );
}

function openHistory() {
  const history = createBrowserHistory({ v5Compat: true });
  const { action, location } = history;
  let { pathname } = location;
  let isReturning = false;

  const go = (to: To, goOn: () => void) => {
    const target = typeof to === 'string' ? parsePath(to) : to;
    // A new query or hash keeps the same screen, so no input is lost.
    if (target.pathname === undefined || target.pathname === pathname) goOn();
    else leave(goOn);
  };
  const navigator: Navigator = {
    createHref: (to) => history.createHref(to),
    encodeLocation: (to) => history.encodeLocation(to),
    go: (delta) => history.go(delta),
    push: (to, state) => go(to, () => history.push(to, state)),
    replace: (to, state) => go(to, () => history.replace(to, state)),
  };

  /** The browser reports a navigation only afterwards, so it is reversed while the user is asked. */
  const handleUpdate = (update: Update, show: (update: Update) => void) => {
    const { delta } = update;
    if (isReturning) {
      isReturning = false;
      return;
    }
    const isElsewhere = update.location.pathname !== pathname;
    if (update.action === NavigationType.Pop && delta && isElsewhere && findDirtyForm()) {
      isReturning = true;
      history.go(-delta);
      leave(() => history.go(delta));
      return;
    }
    ({ pathname } = update.location);
    show(update);
  };
  return {
    first: { action, location },
    navigator,
    listen: (show: (update: Update) => void) =>
      history.listen((update) => handleUpdate(update, show)),
  };
}
