import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { LineProposal } from '../../../domain/invoice/invoice.endpoints.ts';
import { showKroner } from '../../lib/kroner.ts';
import { useDebounced } from '../../ui/SearchField.tsx';
import { lineProposalsQuery } from '../invoice/invoice.api.ts';
import { useFeature } from '../session/session.api.ts';

/** Values for a line. Those that are absent, such as the rate of a product, stay as they are. */
export type LineValues = Pick<LineProposal, 'description' | 'netUnitAmount'> &
  Partial<LineProposal>;

interface Proposal {
  readonly key: string;
  readonly name: string;
  readonly note: string;
  readonly values: LineValues;
}

interface ProposalGroup {
  readonly label: string;
  readonly proposals: readonly Proposal[];
}

const LEAST = 2;

/**
 * Products, with `products`, and earlier lines (PRD-17). Asked for by text that the user types, not by text already in
 * the field, and shown together, so that none moves when the others come.
 */
export function useLineProposals() {
  const hasProducts = useFeature('products');
  const [written, setWritten] = useState('');
  const text = written.trim();
  const asked = useDebounced(text);
  const isSettled = text !== '' && asked === text;
  const lines = useQuery({
    ...lineProposalsQuery(asked),
    enabled: isSettled && asked.length >= LEAST,
  });
  const products = useQuery({
    queryKey: ['products', 'proposed', asked],
    queryFn: async ({ signal }) => {
      const { proposedProducts } = await import('../product/proposed-products.ts');
      return proposedProducts(asked, signal);
    },
    enabled: hasProducts && isSettled,
  });
  const isShown = isSettled && !isAwaited(lines) && !isAwaited(products);
  const groups = isShown ? groupsOf(products.data, lines.data, hasProducts) : [];
  return { hasProducts, groups, write: setWritten, close: () => setWritten('') };
}

/** Whether a first answer may still come soon. */
function isAwaited(query: { readonly isLoading: boolean; readonly failureCount: number }): boolean {
  return query.isLoading && query.failureCount === 0;
}

function groupsOf(
  products: readonly Proposal[] = [],
  lines: readonly LineProposal[] = [],
  hasProducts: boolean,
): readonly ProposalGroup[] {
  // A product's line of before may have an older price.
  const others = lines.filter(
    ({ description }) => !products.some(({ values }) => values.description === description),
  );
  return [
    { label: 'Produkter', proposals: products },
    { label: 'Brukt før', proposals: others.map((line) => ofLine(line, hasProducts)) },
  ].filter(({ proposals }) => proposals.length > 0);
}

function ofLine(line: LineProposal, hasProducts: boolean): Proposal {
  return {
    key: encodeURIComponent(line.description),
    name: line.description,
    note: `${showKroner(line.netUnitAmount)} + ${line.vatRatePercentage} %`,
    values: hasProducts ? { ...line, productNumber: line.productNumber ?? null } : line,
  };
}
