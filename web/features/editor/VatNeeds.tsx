import { useWatch } from 'react-hook-form';

import { treatmentOf } from '../../../domain/vat-treatment.ts';
import { laterCode } from '../../lib/later-code.ts';
import { useLaterCode } from '../../ui/useLaterCode.ts';
import type { InvoiceFormState } from './invoice-form-state.ts';

const fields = laterCode(async () => import('./VatNeedFields.tsx'));

interface VatNeedsProps {
  readonly form: InvoiceFormState;
}

/** Asks for what the VAT treatments of the lines demand: a country, a customer's VAT number (VAT-6). */
export function VatNeeds({ form }: VatNeedsProps) {
  const { control } = form;
  const lines = useWatch({ control, name: 'invoiceLines' }) ?? [];
  const country = useWatch({ control, name: 'deliveryCountry' });
  const needs = new Set(
    lines.map((line) => (line?.vatTreatment ? treatmentOf(line.vatTreatment).needs : null)),
  );
  const asksCountry = needs.has('FOREIGN_COUNTRY') || Boolean(country);
  const asksNumbers = needs.has('BUYER_VAT_NUMBER');
  return asksCountry || asksNumbers ? (
    <NeededFields {...{ form, asksCountry, asksNumbers }} />
  ) : null;
}

interface NeededFieldsProps extends VatNeedsProps {
  readonly asksCountry: boolean;
  readonly asksNumbers: boolean;
}

/** Loaded only when asked for: few invoices need them. */
function NeededFields({ form, asksCountry, asksNumbers }: NeededFieldsProps) {
  const code = useLaterCode(fields, { isNeeded: true, what: 'Feltene' });
  if (!code) return null;
  return (
    <>
      {asksCountry ? <code.DeliveryCountryField form={form} /> : null}
      {asksNumbers ? <code.MissingVatNumbers form={form} /> : null}
    </>
  );
}
