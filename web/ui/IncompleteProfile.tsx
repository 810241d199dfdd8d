import { Link } from 'react-router';

import { paths } from '../lib/paths.ts';
import { Alert } from './Alert.tsx';

interface IncompleteProfileProps {
  readonly of?: 'fakturaer' | 'maler';
}

export function IncompleteProfile({ of = 'fakturaer' }: IncompleteProfileProps) {
  return (
    <Alert tone="warning" title="Profilen er ikke fullført">
      <Link to={paths.profile}>Fullfør profilen</Link> før du kan lage {of}.
    </Alert>
  );
}
