import { useEffect, useEffectEvent } from 'react';
import { type Control, useWatch } from 'react-hook-form';

import { todayInOslo, type IsoDate } from '../../../domain/date.ts';
import { OFFERED_VAT_RATES } from '../../../domain/invoice/invoice-line.schema.ts';
import { hintOfLine } from '../../../domain/invoice/invoice-hint.ts';
import { vatRateOn, type VatRate, type VatTreatment } from '../../../domain/vat-treatment.ts';
import { SelectField } from '../../ui/Field.tsx';
import type { InvoiceDraft, LineFormState, LinePath } from './draft-values.ts';
import { useFeature } from '../session/session.api.ts';
import { isDate } from './due-date.ts';
import { treatmentOptions } from './LineOptions.tsx';
import styles from './LineFields.module.css';
import { itself, useLineField } from './useLineField.ts';

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
export function VatField({ isRegistered, ...props }: VatFieldProps) {
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
