import { useId, useState } from 'react';

import {
  LOGO_BYTES_MAX,
  LOGO_TYPES,
  type Profile,
} from '../../../domain/profile/profile.schema.ts';
import { formatOrgNumber } from '../../../domain/parties.ts';
import { ApiError, hasStatus } from '../../lib/api-error.ts';
import { useCan, useFeature } from '../session/session.api.ts';
import { classNames } from '../../lib/class-names.ts';
import { Alert, Card } from '../../ui/Surface.tsx';
import { Button } from '../../ui/Button.tsx';
import { FileButton, useFileDrop } from '../../ui/FileDrop.tsx';
import { UploadIcon } from '../../ui/icons.tsx';
import { logoAddress, useDeleteLogo, useSaveLogo } from './settings.api.ts';
import drop from '../../ui/FileDrop.module.css';
import styles from './LogoCard.module.css';

/** Chooses, previews and removes the logo of new documents. */
export function LogoCard({ profile }: { profile: Profile }) {
  const reminds = useFeature('reminders');
  const canChange = useCan('profile');
  const save = useSaveLogo();
  const remove = useDeleteLogo();
  const [fault, setFault] = useState<string | null>(null);
  const faultId = useId();
  const take = ([picture]: readonly File[]) => {
    if (!picture || !canChange || save.isPending) return;
    const refusal = refusalOf(picture);
    setFault(refusal);
    if (refusal === null) {
      save.mutate(picture, { onError: (error) => setFault(messageOf(error)) });
    }
  };
  const isOver = useFileDrop(take) && canChange;
  const { logo } = profile;
  return (
    <Card heading="Logo">
      <p className="note lead">
        Logoen står på fakturaer{reminds ? ' og purringer' : ''}, og i e-posten de sendes med.
        Fakturaer som er registrert, beholder den logoen de ble sendt med.
      </p>
      <div className={classNames('stack gap-4', drop.drop, isOver && drop.over)}>
        {logo === null ? (
          <p className="note">
            {isOver ? (
              'Slipp bildet her'
            ) : (
              <>
                PNG eller JPEG, høyst 1 MB.{' '}
                <span className="by-mouse">Slipp gjerne bildet hvor som helst her.</span>
              </>
            )}
          </p>
        ) : (
          <LogoPreview logo={logo} profile={profile} />
        )}
        <div className="row gap-2">
          <FileButton
            icon={<UploadIcon />}
            wide
            pending={save.isPending}
            aria-describedby={fault === null ? undefined : faultId}
            accept={LOGO_TYPES.join()}
            onFiles={take}
          >
            {logo === null ? 'Velg bilde' : 'Bytt bilde'}
          </FileButton>
          {logo === null ? null : (
            <Button
              variant="quiet"
              wide
              pending={remove.isPending}
              onClick={() => remove.mutate(undefined, { onSettled: () => setFault(null) })}
            >
              Fjern logo
            </Button>
          )}
        </div>
        <div id={faultId} className={styles.fault} role="alert">
          {fault === null ? null : <Alert tone="error">{fault}</Alert>}
        </div>
      </div>
    </Card>
  );
}

function refusalOf({ type, size }: File): string | null {
  if (!LOGO_TYPES.some((known) => known === type)) {
    return 'Filen er ikke et PNG- eller JPEG-bilde. Lagre logoen som PNG eller JPEG, og prøv igjen.';
  }
  if (size <= LOGO_BYTES_MAX) return null;
  const megabytes = (size / LOGO_BYTES_MAX).toLocaleString('nb-NO', { maximumFractionDigits: 1 });
  return `Bildet er for stort: ${megabytes} MB. Det kan være på høyst 1 MB.`;
}

function messageOf(error: Error): string {
  if (hasStatus(error, 413)) return 'Bildet er for stort. Det kan være på høyst 1 MB.';
  const [reason] = error instanceof ApiError ? error.detail : [];
  if (hasStatus(error, 400) && reason) return `${reason.message}.`.replace('..', '.');
  return 'Logoen ble ikke lagret. Prøv igjen om litt.';
}

function LogoPreview({ logo, profile }: { logo: string; profile: Profile }) {
  const { companyName, orgNumber, billingAddress1, billingPostalCode, billingCity } = profile;
  const place = [billingPostalCode, billingCity].filter(Boolean).join(' ');
  const number = orgNumber === null ? null : `Org.nr ${formatOrgNumber(orgNumber)}`;
  return (
    <div className={styles.paper}>
      <div className={`stack ${styles.left}`}>
        <img key={logo} className={styles.logo} src={logoAddress(logo)} alt="Logoen din" />
        <span className={`strong ${styles.heading}`} aria-hidden="true">
          FAKTURA
        </span>
      </div>
      <div className={`stack ${styles.seller}`} aria-hidden="true">
        <strong>{companyName ?? 'Bedriften din'}</strong>
        {[billingAddress1, place, number].filter(Boolean).map((line) => (
          <span key={line}>{line}</span>
        ))}
      </div>
    </div>
  );
}
