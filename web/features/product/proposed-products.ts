import { listProducts } from '../../../domain/product/product.endpoints.ts';
import type { Product } from '../../../domain/product/product.schema.ts';
import { call } from '../../lib/client.ts';
import { showKroner } from '../../lib/number-text.ts';

const MOST = 5;

/** Products in use that match a text, the best first, each with what it fills in (PRD-17). */
export async function proposedProducts(query: string, signal: AbortSignal) {
  const request = { query: { query, active: 'true' as const, size: MOST } };
  const { results } = await call(listProducts, request, signal);
  return results.map(toProposal);
}

function toProposal({ number, name, description, netPrice, unit, vatTreatment }: Product) {
  return {
    key: `product-${encodeURIComponent(number)}`,
    name,
    note: showKroner(netPrice),
    values: {
      description: description ?? name,
      netUnitAmount: netPrice,
      productNumber: number,
      ...(unit !== undefined && { unit }),
      ...(vatTreatment !== undefined && { vatTreatment }),
    },
  };
}
