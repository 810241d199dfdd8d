import { useQuery } from '@tanstack/react-query';

import { Checkbox } from '../../ui/Field.tsx';
import { Card, LoadFailure } from '../../ui/Surface.tsx';
import { einvoiceSettingsQuery, useSaveEInvoiceSettings } from './einvoice.api.ts';

/** As they are before anybody has chosen; shown until they are known, so that nothing moves. */
const USUAL = { exempt: false, ehfFirst: true };

/** The company's choices about e-invoices, each saved as it is ticked. */
export function EInvoiceChoices() {
  const { data, isError, refetch } = useQuery(einvoiceSettingsQuery);
  const { isPending, mutate, variables } = useSaveEInvoiceSettings();
  // As pressed, until the answer is there.
  const { exempt, ehfFirst } = (isPending ? variables : data) ?? USUAL;
  const disabled = isPending || !data;
  return (
    <Card heading="E-faktura fra 2027">
      {isError && !data ? <LoadFailure onRetry={() => void refetch()} /> : null}
      <div className="stack">
        <p className="note lead">
          Fra 1. januar 2027 skal bedrifter få e-faktura der de kan motta det.
        </p>
        <Checkbox
          label="Send EHF til bedrifter som kan motta"
          hint="Gjelder fakturaer som ellers går på e-post. Du kan velge e-post for en kunde."
          checked={ehfFirst}
          disabled={disabled}
          onChange={({ target }) => mutate({ exempt, ehfFirst: target.checked })}
        />
        <Checkbox
          label="Omsetningen er under 50 000 kr i året, så bedriften er unntatt"
          checked={exempt}
          disabled={disabled}
          onChange={({ target }) => mutate({ exempt: target.checked, ehfFirst })}
        />
      </div>
    </Card>
  );
}
