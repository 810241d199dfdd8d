import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { reportErrors } from './api/error-reports.ts';
import { createQueryClient } from './api/query-client.ts';
import { settingsQuery } from './api/settings.queries.ts';
import { preloadScreen, Router } from './router.tsx';
import { noticeLostSession } from './session/session.queries.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

preloadScreen(window.location.pathname);
const queryClient = createQueryClient();
noticeLostSession(queryClient);
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Router />
    </QueryClientProvider>
  </StrictMode>,
);
// After the first paint: nobody waits for error reports, and without the setting nothing is loaded.
queryClient
  .query(settingsQuery)
  .then(async (settings) => reportErrors(settings.sentryDsn))
  // Without settings the app works all the same; the footer asks for them again.
  .catch(() => undefined);
