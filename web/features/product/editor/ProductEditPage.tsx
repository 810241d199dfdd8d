import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import type { z } from 'zod/mini';

import {
  type Product,
  productForm,
  type ProductForm as ProductInput,
} from '../../../../domain/product/product.schema.ts';
import { productKey } from '../../../../domain/product/product-number.ts';
import { todayInOslo } from '../../../../domain/date.ts';
import { defaultVatRate } from '../../../../domain/invoice/invoice-line.schema.ts';
import { unitName } from '../../../../domain/invoice/unit-names.ts';
import { formatKroner } from '../../../../domain/money.ts';
import { DEFAULT_UNIT } from '../../../../domain/unit.ts';
import { treatmentOf, vatRateOn, type VatTreatment } from '../../../../domain/vat-treatment.ts';
import { DeleteRecord } from '../../../forms/DeleteButton.tsx';
import { paths } from '../../../lib/paths.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Card, Fetched } from '../../../ui/Surface.tsx';
import { Page, RecordPage } from '../../../ui/Page.tsx';
import { type CompanyVat, vatOf } from '../../editor/draft-values.ts';
import { profileQuery } from '../../profile/profile.api.ts';
import {
  isProductNumberTaken,
  productQuery,
  useCreateProduct,
  useDeleteProduct,
  useUpdateProduct,
} from '../product.api.ts';
import { ControlledSelect, GuardedForm, useWiring } from '../../../forms/GuardedForm.tsx';
import { type Draft, labelled, type Saving, useSchemaForm } from '../../../forms/Form.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox, TextField } from '../../../ui/Field.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import { treatmentOptions, UnitOptions } from '../../editor/LineOptions.tsx';
import { priceLabel, usePricesWithVat, useTypedPrice } from '../../editor/useTypedPrice.ts';
import { useFeatures } from '../../session/session.api.ts';

/** A new product, or a change of the one in the address. */
export function ProductEditPage() {
  const { number } = useParams();
  return number === undefined ? <NewProduct /> : <StoredProduct number={number} />;
}

function NewProduct() {
  const create = useCreateProduct();
  return (
    <Page heading="Nytt produkt" width="form">
      <Fetched query={useQuery(profileQuery)}>
        {(profile) => (
          <Card>
            <ProductForm vat={vatOf(profile)} save={create} />
          </Card>
        )}
      </Fetched>
    </Page>
  );
}

function StoredProduct({ number }: { number: string }) {
  const profile = useQuery(profileQuery);
  const query = useQuery(productQuery(number));
  const update = useUpdateProduct(number);
  const remove = useDeleteProduct();
  return (
    <RecordPage
      heading="Endre produkt"
      width="form"
      aside={<Badge tone="gray">Produktnummer {query.data?.number ?? number}</Badge>}
      query={query}
    >
      {(product) => (
        <Fetched query={profile}>
          {(seller) => (
            <>
              <Card>
                <ProductForm product={product} vat={vatOf(seller)} save={update} />
              </Card>
              <DeleteRecord
                what="produkt"
                remove={remove}
                value={product.number}
                to={paths.products}
              >
                {`${product.name} fjernes fra produktlisten. Fakturaer, maler og oppdrag beholder linjene sine.`}
              </DeleteRecord>
            </>
          )}
        </Fetched>
      )}
    </RecordPage>
  );
}

type ProductDraft = Draft<z.input<ReturnType<typeof productForm>>>;
type ProductFormState = UseFormReturn<ProductDraft, unknown, ProductInput>;

interface ProductFormProps {
  readonly product?: Product;
  readonly vat: CompanyVat;
  readonly save: Saving<ProductInput, Product>;
}

function ProductForm({ product, vat, save }: ProductFormProps) {
  const navigate = useNavigate();
  const features = useFeatures();
  const form = useSchemaForm(productForm(features), initialValues(product, vat));
  const field = labelled(form, LABELS);
  return (
    <GuardedForm
      form={form}
      name="product"
      editing={
        product && {
          record: product,
          valuesOf: (stored: Product) => initialValues(stored, vat),
          labels: LABELS,
          show,
        }
      }
      confirm={async () => hasFreeNumber(form, product)}
      save={save}
      onSaved={() => void navigate(paths.products)}
      className="stack gap-6"
      label="Produkt"
    >
      <div className="grid">
        <TextField required {...field('name')} />
        <TextField
          hint={product ? undefined : 'Uten nummer får produktet det neste i rekken.'}
          {...field('number')}
        />
        <PriceFields form={form} vat={vat} />
        {features.has('units') ? <UnitField form={form} /> : null}
      </div>
      <TextField
        hint="Står på fakturaen. Uten beskrivelse står navnet der."
        {...field('description')}
      />
      <Checkbox hint="Bare produkter i bruk foreslås på nye linjer." {...field('active')} />
      <div className="row">
        <Button type="submit" variant="primary" pending={save.isPending}>
          Lagre
        </Button>
      </div>
    </GuardedForm>
  );
}

/** Says at the field that another product has the number, before the product is saved. */
async function hasFreeNumber(form: ProductFormState, product?: Product): Promise<boolean> {
  const number = form.getValues('number')?.trim() ?? '';
  if (number === '' || productKey(number) === productKey(product?.number ?? '')) return true;
  const isTaken = await isProductNumberTaken(number);
  const message = `Produktnummer ${number} er i bruk. Velg et annet.`;
  if (isTaken) form.setError('number', { message });
  return !isTaken;
}

const LABELS = {
  number: 'Nummer',
  name: 'Navn',
  description: 'Beskrivelse på fakturaen',
  unit: 'Enhet',
  netPrice: 'Pris eks. mva.',
  vatTreatment: 'Mva.',
  active: 'I bruk',
};

/** A field's value for people, where the default is not enough. */
function show(field: string, value: unknown): string | undefined {
  if (field === 'unit') return unitName(String(value));
  if (field === 'netPrice') return formatKroner(Number(value));
  return field === 'vatTreatment' ? treatmentOf(value as VatTreatment).label : undefined;
}

function initialValues(product: Product | undefined, vat: CompanyVat): ProductDraft {
  return {
    number: product?.number ?? '',
    name: product?.name ?? '',
    description: product?.description ?? '',
    unit: product?.unit ?? DEFAULT_UNIT,
    netPrice: product?.netPrice ?? null,
    vatTreatment: product?.vatTreatment ?? vat.treatment,
    active: product?.active ?? true,
  };
}

function UnitField({ form: { control } }: { form: ProductFormState }) {
  const chosen = useWatch({ control, name: 'unit' });
  return (
    <ControlledSelect control={control} name="unit" label={LABELS.unit} required>
      <UnitOptions chosen={chosen ?? DEFAULT_UNIT} />
    </ControlledSelect>
  );
}

/** The price, typed with or without VAT as in lines, and with `vat` the treatment. */
function PriceFields({ form: { control }, vat }: { form: ProductFormState; vat: CompanyVat }) {
  const [isWithVat, setWithVat] = usePricesWithVat();
  const wiring = useWiring({ control, name: 'netPrice' });
  const treatment = useWatch({ control, name: 'vatTreatment' });
  const rateOf = (name: VatTreatment) => vatRateOn(name, todayInOslo());
  const price = useTypedPrice({
    net: wiring.value,
    rate: treatment ? rateOf(treatment) : defaultVatRate(vat.isRegistered),
    isWithVat,
    onNet: wiring.onChange,
  });
  return (
    <>
      <div className="stack gap-2">
        <NumberField
          {...wiring}
          label={priceLabel(isWithVat, vat.isRegistered)}
          required
          decimals={2}
          value={price.shown}
          onChange={price.change}
        />
        {vat.isRegistered || isWithVat ? (
          <Checkbox
            label="Skriv prisen inkl. mva."
            checked={isWithVat}
            onChange={(event) => setWithVat(event.target.checked)}
          />
        ) : null}
      </div>
      {vat.treatment ? (
        <ControlledSelect
          control={control}
          name="vatTreatment"
          label={LABELS.vatTreatment}
          required
          onChosen={(name) => {
            const rate = rateOf(name as VatTreatment);
            if (rate !== null) price.changeRate(rate);
          }}
          options={treatmentOptions(treatment, vat.isRegistered)}
        />
      ) : null}
    </>
  );
}
