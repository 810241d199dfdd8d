import { Controller, useFieldArray, useFormContext, useWatch } from 'react-hook-form';

import { VAT_RATES, type VatRate } from '../../../domain/invoice/invoice-line.schema.ts';
import { formatOre } from '../../../domain/money.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { FieldError, SelectField, TextField } from '../../ui/Field.tsx';
import { errorAt, fieldProps } from '../../ui/Form.tsx';
import { PlusIcon, TrashIcon } from '../../ui/icons.tsx';
import { ControlledNumber } from '../../ui/ControlledNumber.tsx';
import { emptyLine, type FormWithLines } from '../draft-lines.ts';
import { draftLineGross } from '../line-sums.ts';
import styles from './LineFields.module.css';

interface LineFieldsProps {
  /** Where the lines are in the form around. */
  readonly name: keyof FormWithLines;
  /** Filled from a template, and not to be changed. */
  readonly locked?: boolean;
  readonly defaultVatRate?: VatRate;
}

type LinePath = `${keyof FormWithLines}.${number}`;

/** The lines of an invoice or a template, inside a FormProvider. */
export function LineFields({ name, locked = false, defaultVatRate }: LineFieldsProps) {
  const { control, formState } = useFormContext<FormWithLines>();
  const { fields, append, remove } = useFieldArray({
    control,
    name,
    // A template's lines have ids of their own, which must reach the server.
    keyName: 'key',
  });
  return (
    <div className={styles.lines}>
      <div className={styles.headings} aria-hidden="true">
        <span>Antall</span>
        <span>Beskrivelse</span>
        <span>Pris eks. mva.</span>
        <span>Mva.</span>
        <span className={styles.sumHeading}>Sum</span>
      </div>
      <ol className={styles.list}>
        {fields.map((field, index) => (
          <li key={field.key} className={styles.line} aria-label={`Linje ${index + 1}`}>
            <LineRow path={`${name}.${index}`} locked={locked} />
            <IconButton
              label={`Fjern linje ${index + 1}`}
              icon={<TrashIcon />}
              className={styles.remove}
              disabled={locked || fields.length === 1}
              onClick={() => remove(index)}
            />
          </li>
        ))}
      </ol>
      <FieldError
        message={errorAt(formState.errors, name) ?? errorAt(formState.errors, `${name}.root`)}
      />
      <Button
        variant="quiet"
        icon={<PlusIcon />}
        disabled={locked}
        onClick={() => append(emptyLine(defaultVatRate))}
      >
        Legg til linje
      </Button>
    </div>
  );
}

function LineRow({ path, locked }: { path: LinePath; locked: boolean }) {
  const form = useFormContext<FormWithLines>();
  return (
    <>
      <LineNumber path={path} name="invoicedQuantity" label="Antall" locked={locked} />
      <TextField
        label="Beskrivelse"
        required
        autoComplete="off"
        className={styles.description}
        disabled={locked}
        {...fieldProps(form, `${path}.description`)}
      />
      <LineNumber path={path} name="netUnitAmount" label="Pris eks. mva." locked={locked} />
      <VatField path={path} locked={locked} />
      <LineSum path={path} />
    </>
  );
}

interface LineNumberProps {
  readonly path: LinePath;
  readonly name: 'invoicedQuantity' | 'netUnitAmount';
  readonly label: string;
  readonly locked: boolean;
}

function LineNumber({ path, name, label, locked }: LineNumberProps) {
  const { control } = useFormContext<FormWithLines>();
  const isQuantity = name === 'invoicedQuantity';
  return (
    <ControlledNumber
      control={control}
      name={`${path}.${name}`}
      label={label}
      required
      className={isQuantity ? styles.quantity : styles.price}
      decimals={isQuantity ? 0 : 2}
      {...(isQuantity ? { min: 1 } : {})}
      disabled={locked}
    />
  );
}

function VatField({ path, locked }: { path: LinePath; locked: boolean }) {
  const { control } = useFormContext<FormWithLines>();
  return (
    <Controller
      control={control}
      name={`${path}.vatRatePercentage`}
      render={({ field, fieldState }) => (
        <SelectField
          label="Mva."
          required
          className={styles.vat}
          value={String(field.value)}
          onChange={(event) => field.onChange(Number(event.target.value))}
          onBlur={field.onBlur}
          ref={field.ref}
          disabled={locked}
          error={fieldState.error?.message}
        >
          {VAT_RATES.toReversed().map((rate) => (
            <option key={rate} value={rate}>
              {rate} %
            </option>
          ))}
        </SelectField>
      )}
    />
  );
}

function LineSum({ path }: { path: LinePath }) {
  const { control } = useFormContext<FormWithLines>();
  const line = useWatch({ control, name: path });
  const gross = line ? draftLineGross(line) : null;
  return (
    <p className={styles.sum}>
      <span className={styles.sumLabel}>Sum med mva. </span>
      {gross === null ? '–' : formatOre(gross)}
    </p>
  );
}
