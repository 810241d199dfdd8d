import { useFormContext, useWatch } from 'react-hook-form';

import type { VatRate } from '../../../domain/invoice/invoice-line.schema.ts';
import { Alert } from '../../ui/Alert.tsx';
import type { FormWithTerms } from '../invoice-form-state.ts';
import styles from './InvoiceForm.module.css';
import { FormSums } from './InvoiceSums.tsx';
import { LineFields } from './LineFields.tsx';

interface InvoiceLinesProps {
  /** Whether they come from a template. */
  readonly locked: boolean;
  /** Whether the seller charges VAT at all. */
  readonly vatRegistered: boolean;
  readonly defaultVatRate: VatRate;
}

/** The lines of an invoice with their sums, inside a FormProvider. */
export function InvoiceLines({ locked, vatRegistered, defaultVatRate }: InvoiceLinesProps) {
  return (
    <div className={styles.lines}>
      <LineFields name="invoiceLines" locked={locked} defaultVatRate={defaultVatRate} />
      {vatRegistered ? null : <VatWarning />}
      <FormSums name="invoiceLines" />
    </div>
  );
}

function VatWarning() {
  const { control } = useFormContext<FormWithTerms>();
  const lines = useWatch({ control, name: 'invoiceLines' });
  if (!lines?.some((line) => (line.vatRatePercentage ?? 0) > 0)) return null;
  return (
    <Alert tone="warning" live>
      Bedriften er ikke registrert i Merverdiavgiftsregisteret, men en linje har mva.
    </Alert>
  );
}
