import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';

import { settingsQuery, useLoginEmail } from './session.api.ts';
import { paths } from '../../lib/paths.ts';
import { Alert } from '../../ui/Alert.tsx';
import { keptInputs } from '../../forms/unsaved-input.tsx';
import { AuthCard } from './AuthCard.tsx';
import { EmailForm } from './EmailForm.tsx';

export function LoginPage() {
  const navigate = useNavigate();
  const login = useLoginEmail();
  const settings = useQuery(settingsQuery);
  const submit = async (email: string) => {
    await login.mutateAsync({ email });
    await navigate(paths.magicLink);
  };
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
        onSubmit={submit}
        pending={login.isPending}
      />
    </AuthCard>
  );
}
