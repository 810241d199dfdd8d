import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';

import { vatNumberOf } from '../../../domain/parties.ts';
import { fieldProps } from '../../forms/Form.tsx';
import { namedCountries } from '../../lib/countries.ts';
import { paths } from '../../lib/paths.ts';
import { Alert } from '../../ui/Surface.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { customerQuery } from '../customer/customer.api.ts';
import { May } from '../session/Allowed.tsx';
import type { InvoiceFormState } from './draft-values.ts';

/** Limits the look-ups. Registration reports any further customers without a VAT number. */
const ASKED_MAX = 20;

export function DeliveryCountryField({ form }: { readonly form: InvoiceFormState }) {
  const [countries] = useState(namedCountries);
  return (
    <div className="grid">
      <SelectField
        label="Leveringsland"
        hint="Velg landet varen sendes til, hvis kunden holder til i Norge."
        {...fieldProps(form, 'deliveryCountry', { setValueAs: (code: string) => code || null })}
        options={[['', 'Kundens land'], ...countries]}
      />
    </div>
  );
}

export function MissingVatNumbers({ form }: { readonly form: InvoiceFormState }) {
  const numbers = useWatch({ control: form.control, name: 'customerNumbers' }) ?? [];
  const queries = useQueries({ queries: numbers.slice(0, ASKED_MAX).map(customerQuery) });
  const missing = queries
    .flatMap(({ data }) => data ?? [])
    .filter(
      ({ vatNumber = null, ...customer }) => vatNumberOf({ ...customer, vatNumber }) === null,
    );
  return missing.map(({ customerNumber, name }) => (
    <Alert key={customerNumber} tone="warning" live title={`${name} mangler mva-nummer`}>
      <div className="stack gap-4">
        <p>Omvendt avgiftsplikt krever kundens mva-nummer på fakturaen.</p>
        <May permission="edit">
          <div>
            <ButtonLink to={paths.customerEdit(customerNumber)}>Endre kunden</ButtonLink>
          </div>
        </May>
      </div>
    </Alert>
  ));
}
