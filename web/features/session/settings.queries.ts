import { queryOptions } from '@tanstack/react-query';

/** The operator's settings for the browser. The server provides them beside the app. */
export interface Settings {
  readonly supportEmail: string;
  readonly businessRegisterUrl: string;
  readonly sentryDsn: string | null;
  readonly registration: 'open' | 'closed';
}

/** Fetched once: settings change only with a restart of the server. Not part of the API's contract. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }): Promise<Settings> => {
    const response = await fetch('/config.json', { signal });
    if (!response.ok) throw new Error(`/config.json: ${response.status}`);
    return (await response.json()) as Settings;
  },
  staleTime: Infinity,
  gcTime: Infinity,
});
