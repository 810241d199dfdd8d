import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { hasStatus } from '../../lib/api-error.ts';
import { settingsQuery, useMailCode } from './session.api.ts';
import { NotFound } from '../../ui/Page.tsx';
import { paths } from '../../lib/paths.ts';
import { AuthCard, EmailForm } from './AuthCard.tsx';

export function SignupPage() {
  const register = useMailCode('signup');
  const settings = useQuery(settingsQuery);
  const closed = settings.data?.registration === 'closed' || hasStatus(register.error, 404);
  if (closed) return <NotFound />;
  return (
    <AuthCard
      heading="Registrer deg"
      intro="Skriv inn e-posten din, så sender vi en kode som åpner kontoen."
      footer={
        <>
          Har du allerede en konto? <Link to={paths.login}>Logg inn</Link>
        </>
      }
    >
      <EmailForm purpose="signup" submitLabel="Registrer deg" ask={register} />
    </AuthCard>
  );
}
