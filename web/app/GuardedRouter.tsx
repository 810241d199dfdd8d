import { startTransition, useLayoutEffect, useState, type ReactNode } from 'react';
import {
  createPath,
  NavigationType,
  parsePath,
  Router,
  type Location,
  type Navigator,
  type To,
} from 'react-router';

import { isAnyUnsaved, leave } from '../forms/unsaved-input.tsx';

/** A place in the app, with the number of the visit to its path. */
export type Place = Location<number>;

interface Shown {
  readonly location: Place;
  readonly navigationType: NavigationType;
}

interface Entry {
  readonly key?: string;
  readonly index?: number;
}

/**
 * The router, on the browser's history. It asks before a screen with unsaved input is left, by a link or by the
 * browser's buttons. React Router's own useBlocker needs its data router, which adds 18 kB for every visitor
 * (decision 5).
 */
export function GuardedRouter({ children }: { children: ReactNode }) {
  const [history] = useState(openHistory);
  const [shown, setShown] = useState(() => history.read(NavigationType.Pop));
  useLayoutEffect(() => history.listen((next) => startTransition(() => setShown(next))), [history]);
  return (
    <Router {...shown} navigator={history.navigator}>
      {children}
    </Router>
  );
}

function openHistory() {
  const { history, location } = window;
  const current = () => (history.state ?? {}) as Entry;
  history.replaceState({ key: 'default', index: 0, ...current() }, '');
  let index = current().index ?? 0;
  let { pathname } = location;
  /** Paths come to so far: who leaves one and comes back is there anew, even if nothing else was drawn in between. */
  let visit = 0;
  let isReturning = false;
  let show: ((shown: Shown) => void) | undefined;

  const read = (navigationType: NavigationType): Shown => {
    const { pathname, search, hash } = location;
    const { key = 'default' } = current();
    return { location: { pathname, search, hash, state: visit, key }, navigationType };
  };
  const update = (type: NavigationType) => {
    if (location.pathname !== pathname) visit += 1;
    ({ pathname } = location);
    show?.(read(type));
  };
  const createHref = (to: To) => (typeof to === 'string' ? to : createPath(to));
  const change = (type: NavigationType.Push | NavigationType.Replace) => (to: To) => {
    const goOn = () => {
      const isNew = type === NavigationType.Push;
      if (isNew) index += 1;
      const entry: Entry = { key: Math.random().toString(36).slice(2), index };
      history[isNew ? 'pushState' : 'replaceState'](entry, '', createHref(to));
      update(type);
    };
    const target = typeof to === 'string' ? parsePath(to) : to;
    // A new query or hash keeps the same screen, so no input is lost.
    if (target.pathname === undefined || target.pathname === pathname) goOn();
    else leave(goOn);
  };
  const navigator: Navigator = {
    createHref,
    go: (delta) => history.go(delta),
    push: change(NavigationType.Push),
    replace: change(NavigationType.Replace),
  };

  /** The browser reports a navigation only afterwards, so it is reversed while the user is asked. */
  const handlePop = () => {
    if (isReturning) {
      isReturning = false;
      return;
    }
    // Only a link to a hash makes an entry that has no index.
    const next = current().index ?? index + 1;
    const delta = next - index;
    if (delta !== 0 && location.pathname !== pathname && isAnyUnsaved()) {
      isReturning = true;
      history.go(-delta);
      leave(() => history.go(delta));
      return;
    }
    index = next;
    update(NavigationType.Pop);
  };
  const listen = (onShow: (shown: Shown) => void) => {
    show = onShow;
    addEventListener('popstate', handlePop);
    return () => removeEventListener('popstate', handlePop);
  };
  return { read, navigator, listen };
}
