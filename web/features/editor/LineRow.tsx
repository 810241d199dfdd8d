import { memo } from 'react';
import { useWatch } from 'react-hook-form';

import { formatOre } from '../../../domain/money.ts';
import { DEFAULT_UNIT } from '../../../domain/unit.ts';
import { SelectField } from '../../ui/Field.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { draftLineGross } from '../invoice/line-sums.ts';
import { useFeature } from '../session/session.api.ts';
import { DescriptionField, type LineValues } from './DescriptionField.tsx';
import type { LineFormState, LinePath } from './draft-values.ts';
import styles from './LineFields.module.css';
import { noteUnit, UnitOptions } from './LineOptions.tsx';
import { priceLabel, useLinePrice, type LinePrice } from './useTypedPrice.ts';
import { useLineField, useSetting } from './useLineField.ts';
import { VatField } from './VatField.tsx';

interface PlaceProps {
  readonly form: LineFormState;
  readonly path: LinePath;
  readonly locked: boolean;
}

interface LineRowProps extends PlaceProps {
  readonly isWithVat: boolean;
  readonly isRegistered: boolean;
}

/** The fields of one line, and its sum. Drawn again only when its own values change, not with each line that is added. */
export const LineRow = memo(function LineRow(props: LineRowProps) {
  const { form, path, locked, isWithVat, isRegistered } = props;
  const options = useSetting(form);
  const price = useLinePrice(form, path, isWithVat);
  const place = { form, path, locked };
  return (
    <>
      <QuantityFields {...place} />
      <DescriptionField
        {...place}
        className={styles.description}
        onChosen={(values) => fillIn(form, path, values, options)}
      />
      <PriceField {...place} label={priceLabel(isWithVat, isRegistered)} price={price} />
      <VatField
        {...place}
        isRegistered={isRegistered}
        onChosen={price.changeRate}
        // A price without VAT stays as it is; one that was typed with VAT is what the customer was told.
        onDated={(rate) => (price.typed === null ? undefined : price.changeRate(rate))}
      />
      <LineSum form={form} path={path} />
      <p
        className={`note toned unless-empty whole-row ${styles.difference}`}
        data-tone="amber"
        aria-live="polite"
      >
        {price.difference}
      </p>
    </>
  );
});

/** Fills in a product or an earlier invoice line, except its quantity. */
function fillIn(
  form: LineFormState,
  path: LinePath,
  values: LineValues,
  options: ReturnType<typeof useSetting>,
): void {
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
function QuantityFields({ form, path, locked }: PlaceProps) {
  const units = useFeature('units');
  const quantity = useLineField(form, `${path}.invoicedQuantity`);
  return (
    <>
      <NumberField
        {...quantity}
        label="Antall"
        required
        className={styles.quantity}
        decimals={units ? 3 : 0}
        min={units ? 0.001 : 1}
        disabled={locked}
      />
      {units ? <UnitField form={form} path={path} locked={locked} /> : null}
    </>
  );
}

function UnitField({ form, path, locked }: PlaceProps) {
  const field = useLineField(form, `${path}.unit`);
  const chosen = field.value ?? DEFAULT_UNIT;
  return (
    <SelectField
      {...field}
      label="Enhet"
      required
      className={styles.unit}
      value={chosen}
      onChange={({ target }) => {
        noteUnit(target.value);
        field.onChange(target.value);
      }}
      disabled={locked}
    >
      <UnitOptions chosen={chosen} />
    </SelectField>
  );
}

interface PriceFieldProps extends PlaceProps {
  readonly label: string;
  readonly price: LinePrice;
}

function PriceField({ form, path, locked, label, price }: PriceFieldProps) {
  const field = useLineField(form, `${path}.netUnitAmount`);
  return (
    <NumberField
      {...field}
      label={label}
      required
      className={styles.price}
      decimals={2}
      value={price.shown}
      onChange={price.isWithVat ? price.change : field.onChange}
      disabled={locked}
    />
  );
}

function LineSum({ form, path }: Omit<PlaceProps, 'locked'>) {
  const { control } = form;
  const gross = useWatch({
    control,
    name: path,
    compute: (line) => (line ? draftLineGross(line) : null),
  });
  return (
    <p className={`numeric strong ${styles.sum}`}>
      <span className={`aside ${styles.sumLabel}`}>Sum med mva. </span>
      {gross === null ? '–' : formatOre(gross)}
    </p>
  );
}
