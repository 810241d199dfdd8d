import { useFormContext, useWatch } from 'react-hook-form';

import { Alert } from '../../ui/Alert.tsx';
import type { CompanyVat, FormWithLines } from '../invoice/draft-lines.ts';
import { FormSums } from '../invoice/InvoiceSums.tsx';
import { LineFields } from './LineFields.tsx';

interface InvoiceLinesProps {
  readonly name: keyof FormWithLines;
  readonly locked?: boolean;
  readonly vat: CompanyVat;
}

export function InvoiceLines({ name, locked = false, vat }: InvoiceLinesProps) {
  return (
    <div className="stack gap-6">
      <LineFields name={name} locked={locked} vat={vat} />
      {vat.isRegistered ? null : <VatWarning name={name} />}
      <FormSums name={name} />
    </div>
  );
}

function VatWarning({ name }: Pick<InvoiceLinesProps, 'name'>) {
  const { control } = useFormContext<FormWithLines>();
  const lines = useWatch({ control, name });
  if (!lines?.some((line) => (line.vatRatePercentage ?? 0) > 0)) return null;
  return (
    <Alert tone="warning" live>
      Bedriften er ikke registrert i Merverdiavgiftsregisteret, men en linje har mva.
    </Alert>
  );
}
