import { useWatch, type UseFormReturn } from 'react-hook-form';
import type { z } from 'zod/mini';

import { todayInOslo } from '../../../../domain/date.ts';
import { defaultVatRate } from '../../../../domain/invoice/invoice-line.schema.ts';
import { unitName } from '../../../../domain/invoice/unit-names.ts';
import { formatKroner } from '../../../../domain/money.ts';
import {
  productForm,
  type Product,
  type ProductForm as ProductInput,
} from '../../../../domain/product/product.schema.ts';
import { DEFAULT_UNIT } from '../../../../domain/unit.ts';
import { treatmentOf, vatRateOn, type VatTreatment } from '../../../../domain/vat-treatment.ts';
import { ControlledSelect, useWiring } from '../../../forms/Controlled.tsx';
import { fieldProps, useSchemaForm, type Draft, type Saving } from '../../../forms/Form.tsx';
import { GuardedForm } from '../../../forms/GuardedForm.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox, TextField } from '../../../ui/Field.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import { treatmentOptions, UnitOptions } from '../../editor/LineOptions.tsx';
import { priceLabel, usePricesWithVat, useTypedPrice } from '../../editor/useTypedPrice.ts';
import type { CompanyVat } from '../../editor/draft-values.ts';
import { useFeatures } from '../../session/session.api.ts';

type ProductDraft = Draft<z.input<ReturnType<typeof productForm>>>;
type ProductFormState = UseFormReturn<ProductDraft, unknown, ProductInput>;

interface ProductFormProps {
  readonly product?: Product;
  readonly vat: CompanyVat;
  readonly save: Saving<ProductInput, Product>;
  readonly onSaved: () => void;
}

export function ProductForm({ product, vat, save, onSaved }: ProductFormProps) {
  const features = useFeatures();
  const form = useSchemaForm(productForm(features), initialValues(product, vat));
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
      save={save}
      onSaved={onSaved}
      className="stack gap-6"
      label="Produkt"
    >
      <div className="grid">
        <TextField label={LABELS.name} required {...fieldProps(form, 'name')} />
        <TextField
          label={LABELS.number}
          hint={product ? undefined : 'Uten nummer får produktet det neste i rekken.'}
          {...fieldProps(form, 'number')}
        />
        <PriceFields form={form} vat={vat} />
        {features.has('units') ? <UnitField form={form} /> : null}
      </div>
      <TextField
        label={LABELS.description}
        hint="Står på fakturaen. Uten beskrivelse står navnet der."
        {...fieldProps(form, 'description')}
      />
      <Checkbox
        label={LABELS.active}
        hint="Bare produkter i bruk foreslås på nye linjer."
        {...form.register('active')}
      />
      <div className="row">
        <Button type="submit" variant="primary" pending={save.isPending}>
          Lagre
        </Button>
      </div>
    </GuardedForm>
  );
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

interface FieldsProps {
  readonly form: ProductFormState;
}

function UnitField({ form: { control } }: FieldsProps) {
  const chosen = useWatch({ control, name: 'unit' });
  return (
    <ControlledSelect control={control} name="unit" label={LABELS.unit} required>
      <UnitOptions chosen={chosen ?? DEFAULT_UNIT} />
    </ControlledSelect>
  );
}

/** The price, typed with or without VAT as in lines, and with `vat` the treatment. */
function PriceFields({ form: { control }, vat }: FieldsProps & { vat: CompanyVat }) {
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
          label={priceLabel(isWithVat)}
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
