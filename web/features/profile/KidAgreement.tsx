import { useQuery } from '@tanstack/react-query';

import type { Profile } from '../../../domain/profile/profile.schema.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { Card, Skeleton } from '../../ui/Surface.tsx';
import { kidAgreementQuery } from './profile.api.ts';
import styles from './Agreements.module.css';
import { KidAgreementForm } from './KidAgreementForm.tsx';

/** The company's KID agreement with its bank. */
export function KidAgreementCard({ accounts }: { accounts: Profile['bankAccounts'] }) {
  const query = useQuery(kidAgreementQuery);
  return (
    <Card
      heading="KID/OCR-avtale"
      aside={
        query.data === undefined ? null : (
          <Badge tone={query.data ? 'green' : 'gray'}>
            {query.data ? 'Aktiv' : 'Ingen avtale'}
          </Badge>
        )
      }
    >
      {accounts.length === 0 ? (
        <p className={styles.lead}>Legg til en bankkonto i profilen først.</p>
      ) : (
        <Fetched query={query} pending={<Skeleton height="120px" />}>
          {(agreement) => (
            <>
              <p className={styles.lead}>
                {agreement
                  ? 'Nye fakturaer får KID etter avtalen, og skal betales til kontoen som den gjelder for. Fakturaer som er registrert, beholder sin KID.'
                  : 'Har du en OCR-avtale med banken? Fyll inn det som står i brevet derfra, så får nye fakturaer en KID som banken leser.'}
              </p>
              <KidAgreementForm
                key={agreement ? 'stored' : 'new'}
                agreement={agreement}
                accounts={accounts}
              />
            </>
          )}
        </Fetched>
      )}
    </Card>
  );
}
