import { afterEach, expect, test, vi } from 'vitest';

import { proposedProducts } from './proposed-products.ts';

afterEach(() => void vi.unstubAllGlobals());

test('at most five products in use are proposed, and without VAT the rate is left alone (PRD-17)', async () => {
  const asked: string[] = [];
  const common = { net_price: 480, active: true, version: 1 };
  const results = [
    { ...common, number: '1', name: 'Klipp', description: null },
    { ...common, number: 'A/2', name: 'Vask', description: 'Vask og føn', unit: 'HUR' },
  ];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    return Response.json({ count: 2, next: null, previous: null, results });
  });
  const proposed = await proposedProducts('k', new AbortController().signal);
  expect(asked).toEqual(['/api/products/?query=k&active=true&size=5']);
  expect(proposed.map(({ values }) => values)).toEqual([
    { description: 'Klipp', netUnitAmount: 480, productNumber: '1' },
    { description: 'Vask og føn', netUnitAmount: 480, productNumber: 'A/2', unit: 'HUR' },
  ]);
});
