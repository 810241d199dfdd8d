import { useFormContext } from 'react-hook-form';

import { DUE_DAYS_MAX } from '../../../domain/terms.ts';
import { ControlledNumber } from '../../forms/Controlled.tsx';
import type { FormWithTerms } from './invoice-form-state.ts';

export function DueDaysField({ locked }: { locked: boolean }) {
  const { control } = useFormContext<FormWithTerms>();
  return (
    <ControlledNumber
      control={control}
      name="dueDays"
      label="Dager til forfall"
      required
      min={1}
      max={DUE_DAYS_MAX}
      disabled={locked}
    />
  );
}
