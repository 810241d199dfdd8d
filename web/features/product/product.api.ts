import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query';

import type { RequestOf } from '../../../domain/api/endpoint.ts';
import {
  createProduct,
  deleteProduct,
  getProduct,
  listProducts,
  updateProduct,
} from '../../../domain/product/product.endpoints.ts';
import { productKey } from '../../../domain/product/product-number.ts';
import type { Versioned } from '../../forms/Form.tsx';
import { ask, call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';
import { PAGE_SIZE } from '../../ui/Pager.tsx';

/** A page of the products that match a search, or of all. */
function productsQuery(query: string, page: number) {
  const found = ask('products', listProducts, { query: { query, page, size: PAGE_SIZE } });
  return queryOptions({ ...found, placeholderData: keepPreviousData });
}

/** A page of the products that match a search, how many match, and how many there are. */
export function useProducts(query: string, page: number) {
  const all = useQuery(productsQuery('', 1));
  const isFirst = query === '' && page === 1;
  const found = useQuery({ ...productsQuery(query, page), enabled: !isFirst });
  const shown = isFirst ? all : found;
  return {
    products: { ...shown, data: shown.data?.results },
    total: shown.data?.count,
    count: all.data?.count,
  };
}

/** Whether a product has the number, in either case; false where that cannot be found out. */
export async function isProductNumberTaken(number: string): Promise<boolean> {
  const query = { query: number, page: 1, size: PAGE_SIZE };
  const { results } = await call(listProducts, { query }).catch(() => ({ results: [] }));
  return results.some((one) => productKey(one.number) === productKey(number));
}

export function productQuery(number: string) {
  return ask('products', getProduct, { params: { number } });
}

export function useCreateProduct() {
  return useMutation({
    mutationFn: async ({ values: body }: Versioned<RequestOf<typeof createProduct>['body']>) =>
      call(createProduct, { body }),
    meta: { changes: 'products' },
    onSuccess: () => showSuccess('Produkt opprettet!', { follows: true }),
  });
}

export function useUpdateProduct(number: string) {
  return useMutation({
    mutationFn: async ({ values, version }: Versioned<RequestOf<typeof updateProduct>['body']>) =>
      call(updateProduct, { params: { number }, body: { ...values, version } }),
    meta: { changes: 'products', answers: productQuery(number).queryKey },
    onSuccess: () => showSuccess('Produkt oppdatert!', { follows: true }),
  });
}

export function useDeleteProduct() {
  return useMutation({
    mutationFn: async (number: string) => call(deleteProduct, { params: { number } }),
    meta: { changes: 'products', renewal: 'nextScreen' },
    onSuccess: () => showSuccess('Produkt slettet!', { follows: true }),
  });
}
