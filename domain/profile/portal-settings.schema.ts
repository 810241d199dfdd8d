import { z } from 'zod/mini';

import { described } from '../api/described.ts';

/** Whether customers get a link to their invoices, and what they see there (PORT-6). */
export const portalSettings = described(
  z.object({
    enabled: described(z.boolean(), 'Whether mails have a link to the invoice, and links work'),
    showAll: described(
      z.boolean(),
      "Whether the page leads to the customer's other invoices, after a code by e-mail",
    ),
  }),
  { id: 'PortalSettings' },
);
export type PortalSettings = z.output<typeof portalSettings>;
