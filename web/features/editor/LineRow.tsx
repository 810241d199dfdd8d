import { useEffect, useEffectEvent } from 'react';
import { useWatch, type FieldErrors } from 'react-hook-form';

import type { IsoDate } from '../../../domain/date.ts';
import { hintOfLine } from '../../../domain/invoice/invoice-hint.ts';
import { OFFERED_VAT_RATES } from '../../../domain/invoice/invoice-line.schema.ts';
import { formatOre } from '../../../domain/money.ts';
import { DEFAULT_UNIT } from '../../../domain/unit.ts';
import { vatRateOn, type VatRate, type VatTreatment } from '../../../domain/vat-treatment.ts';
import { errorAt } from '../../forms/Form.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { draftLineGross } from '../invoice/line-sums.ts';
import { useFeature } from '../session/session.api.ts';
import { DescriptionField, type LineValues } from './DescriptionField.tsx';
import type { DraftLine, LineFormState, LinePath } from './draft-values.ts';
import styles from './LineFields.module.css';
import { noteUnit, treatmentOptions, UnitOptions } from './LineOptions.tsx';
import { priceLabel, useLinePrice, type LinePrice } from './useTypedPrice.ts';

/** The settings that all lines of a form share. They stay the same while lines change, which draws only those lines again. */
export interface LineSetting {
  readonly form: LineFormState;
  readonly locked: boolean;
  readonly isWithVat: boolean;
  readonly isRegistered: boolean;
  /** The day whose VAT rates apply (VAT-3). */
  readonly ratesOn: IsoDate;
  readonly deliveryCountry: string | null | undefined;
}

interface LineRowProps {
  readonly setting: LineSetting;
  readonly path: LinePath;
  readonly errors: FieldErrors<DraftLine> | undefined;
}

const NO_ERRORS = {};

interface LineFieldProps extends LineSetting {
  readonly path: LinePath;
  readonly line: DraftLine;
  readonly errors: FieldErrors<DraftLine>;
}

/** The fields of one line, and its sum. It watches the whole line at once: each watched field is asked at every change of the form. */
export function LineRow({ setting, path, errors = NO_ERRORS }: LineRowProps) {
  const line = useWatch({
    control: setting.form.control,
    name: path,
    // A copy: React Hook Form would compare its own object with itself.
    compute: (own) => own && { ...own },
  });
  return line ? <DrawnLine {...setting} path={path} line={line} errors={errors} /> : null;
}

function DrawnLine(field: LineFieldProps) {
  const { form, path, line, isWithVat, isRegistered } = field;
  const price = useLinePrice({ form, path, line, isWithVat });
  const gross = draftLineGross(line);
  return (
    <>
      <QuantityFields {...field} />
      <DescriptionField
        {...field}
        className={styles.description}
        onChosen={(values) => fillIn(form, path, values)}
      />
      <PriceField {...field} label={priceLabel(isWithVat, isRegistered)} price={price} />
      <VatField
        {...field}
        onChosen={price.changeRate}
        // A price without VAT stays as it is; one that was typed with VAT is what the customer was told.
        onDated={(rate) => (price.typed === null ? undefined : price.changeRate(rate))}
      />
      <p className={`numeric strong ${styles.sum}`}>
        <span className={`aside ${styles.sumLabel}`}>Sum med mva. </span>
        {gross === null ? '–' : formatOre(gross)}
      </p>
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
function fillIn({ change }: LineFormState, path: LinePath, values: LineValues): void {
  const { vatRatePercentage, vatTreatment, unit, productNumber } = values;
  change(`${path}.description`, values.description);
  change(`${path}.netUnitAmount`, values.netUnitAmount);
  if (vatRatePercentage !== undefined) change(`${path}.vatRatePercentage`, vatRatePercentage);
  if (vatTreatment !== undefined) change(`${path}.vatTreatment`, vatTreatment);
  if (unit !== undefined) change(`${path}.unit`, unit);
  if (productNumber !== undefined) change(`${path}.productNumber`, productNumber);
}

/** The quantity and unit of a line. Only whole numbers, without a unit, unless the feature `units` is on. */
function QuantityFields(props: LineFieldProps) {
  const { form, path, locked, line, errors } = props;
  const units = useFeature('units');
  return (
    <>
      <NumberField
        value={line.invoicedQuantity}
        onChange={(quantity) => form.change(`${path}.invoicedQuantity`, quantity)}
        error={errorAt(errors, 'invoicedQuantity')}
        label="Antall"
        required
        className={styles.quantity}
        decimals={units ? 3 : 0}
        min={units ? 0.001 : 1}
        disabled={locked}
      />
      {units ? <UnitField {...props} /> : null}
    </>
  );
}

function UnitField({ form, path, locked, line, errors }: LineFieldProps) {
  const chosen = line.unit ?? DEFAULT_UNIT;
  return (
    <SelectField
      name={`${path}.unit`}
      error={errorAt(errors, 'unit')}
      label="Enhet"
      required
      className={styles.unit}
      value={chosen}
      onChange={({ target }) => {
        noteUnit(target.value);
        form.change(`${path}.unit`, target.value);
      }}
      disabled={locked}
    >
      <UnitOptions chosen={chosen} />
    </SelectField>
  );
}

interface PriceFieldProps extends LineFieldProps {
  readonly label: string;
  readonly price: LinePrice;
}

function PriceField({ locked, errors, label, price }: PriceFieldProps) {
  return (
    <NumberField
      error={errorAt(errors, 'netUnitAmount')}
      label={label}
      required
      className={styles.price}
      decimals={2}
      value={price.shown}
      onChange={price.change}
      disabled={locked}
    />
  );
}

interface VatFieldProps extends LineFieldProps {
  readonly onChosen: (rate: VatRate) => void;
  /** Called before another day of delivery changes the rate. */
  readonly onDated: (rate: VatRate) => void;
}

/** The VAT of a line: its rate or, while `vat` is on, its treatment, from which the rate follows. */
function VatField(props: VatFieldProps) {
  return useFeature('vat') ? <TreatmentField {...props} /> : <RateField {...props} />;
}

function RateField({ form, path, locked, line, errors, onChosen }: VatFieldProps) {
  const chosen = line.vatRatePercentage;
  const rates: readonly VatRate[] = OFFERED_VAT_RATES;
  // A line that was made while `vat` was on may have another rate.
  const isOffered = chosen == null || rates.includes(chosen);
  return (
    <SelectField
      name={`${path}.vatRatePercentage`}
      error={errorAt(errors, 'vatRatePercentage')}
      label="Mva."
      required
      className={styles.vat}
      value={String(chosen)}
      onChange={(event) => {
        const rate = Number(event.target.value) as VatRate;
        form.change(`${path}.vatRatePercentage`, rate);
        onChosen(rate);
      }}
      disabled={locked}
      options={[...rates, ...(isOffered ? [] : [chosen])].map((rate) => [
        String(rate),
        `${rate} %`,
      ])}
    />
  );
}

function TreatmentField(props: VatFieldProps) {
  const { form, path, locked, isRegistered, line, errors, ratesOn, deliveryCountry } = props;
  const { onChosen, onDated } = props;
  const chosen = line.vatTreatment;
  const index = Number(path.split('.')[1]);
  const hint = hintOfLine({ vatTreatment: chosen }, index, deliveryCountry);
  const wanted = chosen == null ? null : vatRateOn(chosen, ratesOn);
  const follow = useEffectEvent((next: VatRate) => {
    onDated(next);
    form.setValue(`${path}.vatRatePercentage`, next);
  });
  useEffect(() => {
    if (wanted !== null && wanted !== line.vatRatePercentage) follow(wanted);
  }, [wanted, line.vatRatePercentage]);
  return (
    <SelectField
      name={`${path}.vatTreatment`}
      label="Mva."
      required
      className={styles.vat}
      value={chosen ?? ''}
      onChange={(event) => {
        const treatment = event.target.value as VatTreatment;
        form.change(`${path}.vatTreatment`, treatment);
        const next = vatRateOn(treatment, ratesOn);
        if (next === null) return;
        form.change(`${path}.vatRatePercentage`, next);
        onChosen(next);
      }}
      disabled={locked}
      error={errorAt(errors, 'vatTreatment') ?? errorAt(errors, 'vatRatePercentage')}
      hint={hint ? `${hint.words.nb}.` : ''}
      hintTone="warning"
      options={treatmentOptions(chosen, isRegistered)}
    />
  );
}
