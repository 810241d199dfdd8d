import { useQuery } from '@tanstack/react-query';

import { Checkbox } from '../../ui/Field.tsx';
import { LoadFailure } from '../../ui/Surface.tsx';
import { portalSettingsQuery, useSavePortalSettings } from './portal.api.ts';

/** As they are before anybody has chosen; shown until they are known, so that nothing moves. */
const USUAL = { enabled: true, showAll: true };

/** Whether customers get a link, and what they see there (PORT-16). Each choice is saved as it is ticked. */
export function PortalChoices() {
  const { data, isError, refetch } = useQuery(portalSettingsQuery);
  const { isPending, mutate, variables } = useSavePortalSettings();
  // As pressed, until the answer is there.
  const { enabled, showAll } = (isPending ? variables : data) ?? USUAL;
  const disabled = isPending || !data;
  if (isError && !data) return <LoadFailure onRetry={() => void refetch()} />;
  return (
    <>
      <Checkbox
        label="Kundene får en lenke til fakturaen"
        hint="Den står i e-posten. Slår du den av, slutter også lenkene som er sendt, å virke."
        checked={enabled}
        disabled={disabled}
        onChange={({ target }) => mutate({ enabled: target.checked, showAll })}
      />
      <Checkbox
        label="Kunden kan se alle fakturaene sine med en kode på e-post"
        checked={showAll}
        disabled={disabled || !enabled}
        onChange={({ target }) => mutate({ enabled, showAll: target.checked })}
      />
    </>
  );
}
