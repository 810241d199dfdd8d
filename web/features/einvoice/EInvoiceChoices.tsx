import { useQuery } from '@tanstack/react-query';

import type { EInvoiceSettings } from '../../../domain/einvoice/einvoice.schema.ts';
import { Checkbox } from '../../ui/Field.tsx';
import { Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { einvoiceSettingsQuery, useSaveEInvoiceSettings } from './einvoice.api.ts';

/** The company's choices about e-invoices, each saved as it is ticked. */
export function EInvoiceChoices() {
  return (
    <Card heading="E-faktura fra 2027">
      <Fetched query={useQuery(einvoiceSettingsQuery)} pending={<Skeleton height="80px" />}>
        {(settings) => <Choices settings={settings} />}
      </Fetched>
    </Card>
  );
}

function Choices({ settings: { exempt, ehfFirst } }: { settings: EInvoiceSettings }) {
  const { isPending, mutate, variables } = useSaveEInvoiceSettings();
  // As pressed, until the answer is there.
  const shown = isPending ? variables : { exempt, ehfFirst };
  return (
    <div className="stack">
      <p className="note lead">
        Fra 1. januar 2027 skal bedrifter få e-faktura der de kan motta det.
      </p>
      <Checkbox
        label="Send EHF til bedrifter som kan motta"
        hint="Gjelder fakturaer som ellers går på e-post. Du kan velge e-post for en kunde."
        checked={shown.ehfFirst}
        disabled={isPending}
        onChange={({ target }) => mutate({ exempt, ehfFirst: target.checked })}
      />
      <Checkbox
        label="Omsetningen er under 50 000 kr i året, så bedriften er unntatt"
        checked={shown.exempt}
        disabled={isPending}
        onChange={({ target }) => mutate({ exempt: target.checked, ehfFirst })}
      />
    </div>
  );
}
