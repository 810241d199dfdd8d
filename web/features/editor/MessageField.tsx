import { useFormContext, useWatch } from 'react-hook-form';

import { MESSAGE_LENGTH } from '../../../domain/profile/profile.schema.ts';
import { fieldProps } from '../../forms/Form.tsx';
import { TextArea } from '../../ui/Field.tsx';
import type { InvoiceDraft } from './invoice-form-state.ts';

/** From this length, the hint shows the number of characters. */
const NEARLY = MESSAGE_LENGTH - 100;

export function MessageField({ hint }: { hint: string }) {
  const form = useFormContext<Pick<InvoiceDraft, 'message'>>();
  const length = useWatch({ control: form.control, name: 'message' })?.length ?? 0;
  return (
    <TextArea
      label="Melding til kunden"
      hint={length > NEARLY ? `${length} av ${MESSAGE_LENGTH} tegn` : hint}
      className="whole-row"
      {...fieldProps(form, 'message')}
    />
  );
}
