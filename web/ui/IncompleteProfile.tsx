import { Link } from 'react-router';

import { paths } from '../lib/paths.ts';
import { Alert } from './Alert.tsx';

export function IncompleteProfile({
  of = 'fakturaer',
}: {
  of?: 'fakturaer' | 'maler' | 'faste oppdrag';
}) {
  return (
    <Alert tone="warning" title="Profilen er ikke fullført">
      <Link to={paths.profile}>Fullfør profilen</Link> før du kan lage {of}.
    </Alert>
  );
}
