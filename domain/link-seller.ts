import { z } from 'zod/mini';

import { described } from './api/described.ts';
import type { Seller } from './parties.ts';

/** The seller of an issued document, as the page of its link shows it. */
export const linkSeller = z.object({
  name: z.string(),
  orgNumber: z.string(),
  vatRegistered: z.boolean(),
  address: described(z.string(), 'With line breaks'),
  email: z.string(),
});
export type LinkSeller = z.infer<typeof linkSeller>;

/** @param email the address that the company has today; null takes that of the document */
export function toLinkSeller(seller: Seller, email: string | null): LinkSeller {
  const { name, orgNumber, vatRegistered, address1, address2 } = seller;
  const place = [seller.postalCode, seller.city].filter(Boolean).join(' ');
  return {
    name,
    orgNumber,
    vatRegistered,
    address: [address1, address2, place].filter(Boolean).join('\n'),
    email: email ?? seller.email,
  };
}
