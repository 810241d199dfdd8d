import { useMutation } from '@tanstack/react-query';

import { unsubscribeFromEmails } from '../../../domain/newsletter/newsletter.endpoints.ts';
import { call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';

export function useUnsubscribe() {
  return useMutation({
    mutationFn: async (token: string) => call(unsubscribeFromEmails, { query: { token } }),
    onSuccess: () => showSuccess('E-post er avregistrert!'),
  });
}
