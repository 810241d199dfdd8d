import { Link } from 'react-router';

import { paths } from '../../lib/paths.ts';
import { Alert } from '../../ui/Surface.tsx';
import { useCan } from '../session/session.api.ts';

type Made = 'fakturaer' | 'maler' | 'faste oppdrag' | 'tilbud';

export function IncompleteProfile({ of = 'fakturaer' }: { of?: Made }) {
  return (
    <Alert tone="warning" title="Profilen er ikke fullført">
      {useCan('profile') ? (
        <>
          <Link to={paths.profile}>Fullfør profilen</Link> før du kan lage {of}.
        </>
      ) : (
        `En eier må fullføre profilen før det kan lages ${of}.`
      )}
    </Alert>
  );
}
