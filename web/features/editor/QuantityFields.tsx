import { useController, useFormContext } from 'react-hook-form';

import { COMMON_UNITS, OTHER_UNITS, unitName } from '../../../domain/invoice/unit-names.ts';
import { DEFAULT_UNIT } from '../../../domain/unit.ts';
import { useFeature } from '../session/session.api.ts';
import { ControlledNumber } from '../../forms/Controlled.tsx';
import { SelectField } from '../../ui/Field.tsx';
import type { FormWithLines } from '../invoice/draft-lines.ts';
import styles from './LineFields.module.css';

interface QuantityFieldsProps {
  readonly path: `${keyof FormWithLines}.${number}`;
  readonly locked: boolean;
}

/** The quantity and unit of a line. Only whole numbers, without a unit, unless the feature `units` is on. */
export function QuantityFields({ path, locked }: QuantityFieldsProps) {
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

function UnitField({ path, locked }: QuantityFieldsProps) {
  const { control } = useFormContext<FormWithLines>();
  const { field, fieldState } = useController({ control, name: `${path}.unit` });
  const chosen = field.value ?? DEFAULT_UNIT;
  const isOffered = [...COMMON_UNITS, ...OTHER_UNITS].includes(chosen);
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
      {/* Another API client may have set a unit that is not offered here. */}
      {isOffered ? null : toOption(chosen)}
      {COMMON_UNITS.map(toOption)}
      <optgroup label="Flere">{OTHER_UNITS.map(toOption)}</optgroup>
    </SelectField>
  );
}

function toOption(unit: string) {
  return (
    <option key={unit} value={unit}>
      {unitName(unit)}
    </option>
  );
}
