import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';

import type { Product } from '../../../../domain/product/product.schema.ts';
import type { Profile } from '../../../../domain/profile/profile.schema.ts';
import { DeleteButton } from '../../../forms/DeleteButton.tsx';
import { hasStatus } from '../../../lib/api-error.ts';
import { paths } from '../../../lib/paths.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Fetched } from '../../../ui/Fetched.tsx';
import { NotFound } from '../../../ui/NotFound.tsx';
import { Page } from '../../../ui/Page.tsx';
import { Card } from '../../../ui/Surface.tsx';
import { vatOf } from '../../editor/draft-values.ts';
import { profileQuery } from '../../profile/profile.api.ts';
import {
  productQuery,
  useCreateProduct,
  useDeleteProduct,
  useUpdateProduct,
} from '../product.api.ts';
import { ProductForm } from './ProductForm.tsx';

/** A new product, or a change of the one in the address. */
export function ProductEditPage() {
  const { number } = useParams();
  return number === undefined ? <NewProduct /> : <StoredProduct number={number} />;
}

function NewProduct() {
  const navigate = useNavigate();
  const create = useCreateProduct();
  return (
    <Page heading="Nytt produkt" width="form">
      <Fetched query={useQuery(profileQuery)}>
        {(profile) => (
          <Card>
            <ProductForm
              vat={vatOf(profile)}
              save={create}
              onSaved={() => void navigate(paths.products)}
            />
          </Card>
        )}
      </Fetched>
    </Page>
  );
}

function StoredProduct({ number }: { number: string }) {
  const profile = useQuery(profileQuery);
  const query = useQuery(productQuery(number));
  if (hasStatus(query.error, 404)) return <NotFound />;
  return (
    <Page
      heading="Endre produkt"
      width="form"
      aside={<Badge tone="gray">Produktnummer {query.data?.number ?? number}</Badge>}
    >
      <Fetched query={profile}>
        {(seller) => (
          <Fetched query={query}>
            {(product) => <ProductEditor key={number} product={product} profile={seller} />}
          </Fetched>
        )}
      </Fetched>
    </Page>
  );
}

function ProductEditor({ product, profile }: { product: Product; profile: Profile }) {
  const navigate = useNavigate();
  const update = useUpdateProduct(product.number);
  const remove = useDeleteProduct();
  return (
    <>
      <Card>
        <ProductForm
          product={product}
          vat={vatOf(profile)}
          save={update}
          onSaved={() => void navigate(paths.products)}
        />
      </Card>
      <DeleteButton
        label="Slett produkt"
        title="Slette produkt"
        remove={remove}
        value={product.number}
        to={paths.products}
      >
        {() => (
          <p>{`${product.name} fjernes fra produktlisten. Fakturaer, maler og oppdrag beholder linjene sine.`}</p>
        )}
      </DeleteButton>
    </>
  );
}
