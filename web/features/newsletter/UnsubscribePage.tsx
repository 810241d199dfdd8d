import { Link, useSearchParams } from 'react-router';
import { useMutation, type UseMutationResult } from '@tanstack/react-query';

import { unsubscribeFromEmails } from '../../../domain/newsletter/newsletter.endpoints.ts';
import { hasStatus } from '../../lib/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { Alert, Card } from '../../ui/Surface.tsx';
import { Button } from '../../ui/Button.tsx';
import { Page } from '../../ui/Page.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';

export function UnsubscribePage() {
  const [search] = useSearchParams();
  const token = search.get('token');
  const unsubscribe = useMutation({
    mutationFn: async (secret: string) => call(unsubscribeFromEmails, { query: { token: secret } }),
    onSuccess: () => showSuccess('E-post er avregistrert!'),
  });
  return (
    <Page heading="Avregistrer e-post" width="reading">
      <Card>
        <div className="stack waits" aria-live="polite">
          {content(token, unsubscribe)}
        </div>
      </Card>
    </Page>
  );
}

function content(token: string | null, unsubscribe: UseMutationResult<unknown, Error, string>) {
  if (unsubscribe.isPending) return <Spinner size={32} label="Avregistrerer" />;
  if (token && !unsubscribe.isSuccess) {
    return (
      <>
        {hasStatus(unsubscribe.error, 404) ? (
          <Alert tone="warning" title="Lenken er ikke gyldig.">
            Den kan være avkortet. Gå tilbake til e-posten, og åpne lenken der på nytt.
          </Alert>
        ) : (
          <p>Du får ikke flere e-poster av dette slaget når du har avregistrert deg.</p>
        )}
        <Button variant="primary" onClick={() => unsubscribe.mutate(token)}>
          Klikk for å avregistrere
        </Button>
      </>
    );
  }
  return (
    <>
      <p>
        {unsubscribe.isSuccess
          ? 'Adressen er tatt av listen.'
          : 'Åpne lenken i e-posten du vil avregistrere deg fra.'}
      </p>
      <Link to={paths.landing} reloadDocument>
        Gå til hovedsiden
      </Link>
    </>
  );
}
