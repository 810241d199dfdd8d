import { memo, useEffect, useEffectEvent } from 'react';
import { type Control, useWatch } from 'react-hook-form';

import { todayInOslo, type IsoDate } from '../../../domain/date.ts';
import { hintOfLine } from '../../../domain/invoice/invoice-hint.ts';
import { OFFERED_VAT_RATES } from '../../../domain/invoice/invoice-line.schema.ts';
import { formatOre } from '../../../domain/money.ts';
import { DEFAULT_UNIT } from '../../../domain/unit.ts';
import { vatRateOn, type VatRate, type VatTreatment } from '../../../domain/vat-treatment.ts';
import { SelectField } from '../../ui/Field.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { draftLineGross } from '../invoice/line-sums.ts';
import { useFeature } from '../session/session.api.ts';
import { DescriptionField, type LineValues } from './DescriptionField.tsx';
import type { InvoiceDraft, LineFormState, LinePath } from './draft-values.ts';
import { isDate } from './due-date.ts';
import styles from './LineFields.module.css';
import { noteUnit, treatmentOptions, UnitOptions } from './LineOptions.tsx';
import { itself, useLineField, useSetting } from './useLineField.ts';
import { priceLabel, useLinePrice, type LinePrice } from './useTypedPrice.ts';

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

interface VatFieldProps {
  readonly form: LineFormState;
  readonly path: LinePath;
  readonly locked: boolean;
  readonly isRegistered: boolean;
  readonly onChosen: (rate: VatRate) => void;
  /** Called before another day of delivery changes the rate. */
  readonly onDated: (rate: VatRate) => void;
}

/** The VAT of a line: its rate or, while `vat` is on, its treatment, from which the rate follows. */
function VatField({ isRegistered, ...props }: VatFieldProps) {
  return useFeature('vat') ? (
    <TreatmentField {...props} isRegistered={isRegistered} />
  ) : (
    <RateField {...props} />
  );
}

function RateField(props: Omit<VatFieldProps, 'isRegistered' | 'onDated'>) {
  const { form, path, locked, onChosen } = props;
  const field = useLineField(form, `${path}.vatRatePercentage`);
  const rates: readonly VatRate[] = OFFERED_VAT_RATES;
  // A line that was made while `vat` was on may have another rate.
  const isOffered = field.value == null || rates.includes(field.value);
  return (
    <SelectField
      {...field}
      label="Mva."
      required
      className={styles.vat}
      value={String(field.value)}
      onChange={(event) => {
        const rate = Number(event.target.value) as VatRate;
        field.onChange(rate);
        onChosen(rate);
      }}
      disabled={locked}
      options={[...rates, ...(isOffered ? [] : [field.value])].map((rate) => [
        String(rate),
        `${rate} %`,
      ])}
    />
  );
}

function TreatmentField(props: VatFieldProps) {
  const { form, path, locked, isRegistered, onChosen, onDated } = props;
  const { control, setValue } = form;
  const dated = control as unknown as DatedControl;
  const field = useLineField(form, `${path}.vatTreatment`);
  const rate = useLineField(form, `${path}.vatRatePercentage`);
  const rateOn = useDatedRates(dated);
  const deliveryCountry = useWatch({ control: dated, name: 'deliveryCountry', compute: itself });
  const index = Number(path.split('.')[1]);
  const hint = hintOfLine({ vatTreatment: field.value }, index, deliveryCountry);
  const wanted = field.value == null ? null : rateOn(field.value);
  const follow = useEffectEvent((next: VatRate) => {
    onDated(next);
    setValue(`${path}.vatRatePercentage`, next);
  });
  useEffect(() => {
    if (wanted !== null && wanted !== rate.value) follow(wanted);
  }, [wanted, rate.value]);
  return (
    <SelectField
      {...field}
      label="Mva."
      required
      className={styles.vat}
      value={field.value ?? ''}
      onChange={(event) => {
        const treatment = event.target.value as VatTreatment;
        field.onChange(treatment);
        const next = rateOn(treatment);
        if (next === null) return;
        rate.onChange(next);
        onChosen(next);
      }}
      disabled={locked}
      error={field.error ?? rate.error}
      hint={hint ? `${hint.words.nb}.` : ''}
      hintTone="warning"
      options={treatmentOptions(field.value, isRegistered)}
    />
  );
}

/** The fields of an invoice's form that decide about VAT. Other forms with lines have none of them. */
type DatedControl = Control<
  Partial<Pick<InvoiceDraft, 'issueDate' | 'deliveryDate' | 'deliveryCountry'>>
>;

/** The rates on the day of delivery; today's in a form without one (VAT-3). */
function useDatedRates(control: DatedControl) {
  const [delivered, issued] = useWatch({
    control,
    name: ['deliveryDate', 'issueDate'],
    compute: itself,
  });
  const date: IsoDate = [delivered, issued].find((day) => day && isDate(day)) ?? todayInOslo();
  return (treatment: VatTreatment) => vatRateOn(treatment, date);
}
