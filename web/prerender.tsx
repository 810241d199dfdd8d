import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';

import { createQueryClient } from './query-client.ts';
import { settingsQuery, type Settings } from './api/settings.queries.ts';
import { paths } from './paths.ts';
import { Screens } from './router.tsx';

/** What the server puts its own value in place of (server/http/pages.ts); the rest is not shown. */
const SETTINGS: Settings = {
  supportEmail: '{supportEmail}',
  businessRegisterUrl: '',
  sentryDsn: null,
  registration: 'open',
};

/**
 * The landing page as main.tsx draws it first, for whoever comes from outside: to be seen before any
 * script has come. Its title stands in index.html already.
 */
export function renderLandingPage(): string {
  const queryClient = createQueryClient();
  queryClient.setQueryData(settingsQuery.queryKey, SETTINGS);
  const markup = renderToString(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <StaticRouter location={paths.landing}>
          <Screens />
        </StaticRouter>
      </QueryClientProvider>
    </StrictMode>,
  );
  // Its timers would keep the build waiting for minutes.
  queryClient.clear();
  // React draws a fallback where a screen throws, and says nothing.
  if (!markup.includes('<h1')) throw new Error('The landing page could not be drawn');
  return markup.replace(/<title>[^<]*<\/title>/, '');
}
