import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { settingsQuery, useMailCode } from './session.api.ts';
import { paths } from '../../lib/paths.ts';
import { Alert } from '../../ui/Surface.tsx';
import { keptInputs } from '../../forms/unsaved-input.tsx';
import { AuthCard, EmailForm } from './AuthCard.tsx';

export function LoginPage() {
  const login = useMailCode('login');
  const settings = useQuery(settingsQuery);
  return (
    <AuthCard
      heading="Logg inn"
      intro="Vi sender deg en kode på e-post. Du trenger ikke noe passord."
      footer={
        settings.data?.registration === 'closed' ? null : (
          <>
            Ny her? <Link to={paths.signup}>Registrer deg</Link>
          </>
        )
      }
    >
      {keptInputs().length > 0 ? (
        <div className="above">
          <Alert>Det du skrev, er der når du har logget inn igjen.</Alert>
        </div>
      ) : null}
      <EmailForm purpose="login" submitLabel="Logg inn" ask={login} />
    </AuthCard>
  );
}
