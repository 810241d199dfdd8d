import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { settingsQuery, useMailCode } from './session.api.ts';
import { laterCode } from '../../lib/later-code.ts';
import { paths } from '../../lib/paths.ts';
import { useLaterCode } from '../../ui/useLaterCode.ts';
import { Alert } from '../../ui/Surface.tsx';
import { keptInputs } from '../../forms/unsaved-input.tsx';
import { AuthCard, EmailForm } from './AuthCard.tsx';

const passkeyLogin = laterCode(async () => import('./PasskeyLogin.tsx'));

function Passkey() {
  const code = useLaterCode(passkeyLogin);
  return <div className="above">{code ? <code.PasskeyLogin /> : null}</div>;
}

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
      <EmailForm
        purpose="login"
        submitLabel="Logg inn"
        ask={login}
        autoComplete={settings.data?.passkeys ? 'username webauthn' : 'email'}
      />
      {settings.data?.passkeys ? <Passkey /> : null}
    </AuthCard>
  );
}
