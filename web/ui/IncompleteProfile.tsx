import { Link } from 'react-router';

import { paths } from '../lib/paths.ts';
import { Alert } from './Alert.tsx';

interface IncompleteProfileProps {
  /** What cannot be made yet. */
  readonly of?: 'fakturaer' | 'maler';
}

/** Why nothing can be made yet, and where that is mended. */
export function IncompleteProfile({ of = 'fakturaer' }: IncompleteProfileProps) {
  return (
    <Alert tone="warning" title="Profilen er ikke fullført">
      <Link to={paths.profile}>Fullfør profilen</Link> før du kan lage {of}.
    </Alert>
  );
}
