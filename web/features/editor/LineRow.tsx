import { useController, useFormContext, useWatch, type UseFormReturn } from 'react-hook-form';

import { formatOre } from '../../../domain/money.ts';
import { DEFAULT_UNIT } from '../../../domain/unit.ts';
import { ControlledNumber, useWiring } from '../../forms/Controlled.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { draftLineGross } from '../invoice/line-sums.ts';
import { useFeature } from '../session/session.api.ts';
import { DescriptionField, type LineValues } from './DescriptionField.tsx';
import type { FormWithLines, LinePath } from './draft-values.ts';
import styles from './LineFields.module.css';
import { UnitOptions } from './LineOptions.tsx';
import { priceLabel, useLinePrice, type LinePrice } from './useTypedPrice.ts';
import { VatField } from './VatField.tsx';

interface LineRowProps {
  readonly path: LinePath;
  readonly locked: boolean;
  readonly isWithVat: boolean;
  readonly isRegistered: boolean;
}

/** The fields of one line, and its sum. */
export function LineRow({ path, locked, isWithVat, isRegistered }: LineRowProps) {
  const form = useFormContext<FormWithLines>();
  const price = useLinePrice(path, isWithVat);
  return (
    <>
      <QuantityFields path={path} locked={locked} />
      <DescriptionField
        path={path}
        locked={locked}
        className={styles.description}
        onChosen={(values) => fillIn(form, path, values)}
      />
      <PriceField path={path} locked={locked} label={priceLabel(isWithVat)} price={price} />
      <VatField
        path={path}
        locked={locked}
        isRegistered={isRegistered}
        onChosen={price.changeRate}
        // A price without VAT stays as it is; one that was typed with VAT is what the customer was told.
        onDated={(rate) => (price.typed === null ? undefined : price.changeRate(rate))}
      />
      <LineSum path={path} />
      <p
        className={`note toned unless-empty whole-row ${styles.difference}`}
        data-tone="amber"
        aria-live="polite"
      >
        {price.difference}
      </p>
    </>
  );
}

/** Fills in a product or an earlier invoice line, except its quantity. */
function fillIn(form: UseFormReturn<FormWithLines>, path: LinePath, values: LineValues): void {
  const options = { shouldDirty: true, shouldValidate: form.formState.isSubmitted };
  const { vatRatePercentage, vatTreatment, unit, productNumber } = values;
  form.setValue(`${path}.description`, values.description, options);
  form.setValue(`${path}.netUnitAmount`, values.netUnitAmount, options);
  if (vatRatePercentage !== undefined) {
    form.setValue(`${path}.vatRatePercentage`, vatRatePercentage, options);
  }
  if (vatTreatment !== undefined) form.setValue(`${path}.vatTreatment`, vatTreatment, options);
  if (unit !== undefined) form.setValue(`${path}.unit`, unit, options);
  if (productNumber !== undefined) form.setValue(`${path}.productNumber`, productNumber, options);
}

/** The quantity and unit of a line. Only whole numbers, without a unit, unless the feature `units` is on. */
function QuantityFields({ path, locked }: Pick<LineRowProps, 'path' | 'locked'>) {
  const { control } = useFormContext<FormWithLines>();
  const units = useFeature('units');
  return (
    <>
      <ControlledNumber
        control={control}
        name={`${path}.invoicedQuantity`}
        label="Antall"
        required
        className={styles.quantity}
        decimals={units ? 3 : 0}
        min={units ? 0.001 : 1}
        disabled={locked}
      />
      {units ? <UnitField path={path} locked={locked} /> : null}
    </>
  );
}

function UnitField({ path, locked }: Pick<LineRowProps, 'path' | 'locked'>) {
  const { control } = useFormContext<FormWithLines>();
  const { field, fieldState } = useController({ control, name: `${path}.unit` });
  const chosen = field.value ?? DEFAULT_UNIT;
  return (
    <SelectField
      {...field}
      label="Enhet"
      required
      className={styles.unit}
      value={chosen}
      disabled={locked}
      error={fieldState.error?.message}
    >
      <UnitOptions chosen={chosen} />
    </SelectField>
  );
}

interface PriceFieldProps {
  readonly path: LinePath;
  readonly locked: boolean;
  readonly label: string;
  readonly price: LinePrice;
}

function PriceField({ path, locked, label, price }: PriceFieldProps) {
  const { control } = useFormContext<FormWithLines>();
  const wiring = useWiring({ control, name: `${path}.netUnitAmount` });
  return (
    <NumberField
      {...wiring}
      label={label}
      required
      className={styles.price}
      decimals={2}
      value={price.shown}
      onChange={price.isWithVat ? price.change : wiring.onChange}
      disabled={locked}
    />
  );
}

function LineSum({ path }: { path: LinePath }) {
  const { control } = useFormContext<FormWithLines>();
  const line = useWatch({ control, name: path });
  const gross = line ? draftLineGross(line) : null;
  return (
    <p className={`numeric strong ${styles.sum}`}>
      <span className={`aside ${styles.sumLabel}`}>Sum med mva. </span>
      {gross === null ? '–' : formatOre(gross)}
    </p>
  );
}
