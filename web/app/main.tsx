import '../lib/zod-settings.ts';
import '@fontsource-variable/space-grotesk/index.css';
import './global.css';
import './layout.css';
import './site.css';

import { QueryClientProvider } from '@tanstack/react-query';
import { LucideProvider } from 'lucide-react';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';

import { createQueryClient } from '../lib/query-client.ts';
import {
  listenToOtherTabs,
  noticeLostSession,
  sessionQuery,
  settingsQuery,
  takeCompanyOfLink,
} from '../features/session/session.api.ts';
import { Screens } from './router.tsx';
import { codeAt } from './routes.ts';
import { GuardedRouter } from './GuardedRouter.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const { pathname } = window.location;
takeCompanyOfLink();
const queryClient = createQueryClient();
noticeLostSession(queryClient);
listenToOtherTabs(queryClient);
// Start the session request before the first render, which uses the same query.
queryClient.query(sessionQuery).catch(() => undefined);
const app = (
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <LucideProvider strokeWidth={1.75}>
        <GuardedRouter>
          <Screens />
        </GuardedRouter>
      </LucideProvider>
    </QueryClientProvider>
  </StrictMode>
);
// The app works without settings. The footer requests them again.
const settings = queryClient.query(settingsQuery).catch(() => undefined);
// Nothing waits for error reporting. Without a DSN no code is loaded for it.
settings
  .then(async (known) => {
    if (known?.sentryDsn) (await import('../lib/error-reports.ts')).reportErrors(known.sentryDsn);
  })
  .catch(() => undefined);

// If the code cannot be loaded, the screen tries again when it is rendered.
const loading = codeAt(pathname)
  ?.load()
  .catch(() => undefined);
// A transition renders in slices, so that the browser can handle scrolling and typing between them.
void Promise.resolve(loading).then(() => startTransition(() => createRoot(root).render(app)));
