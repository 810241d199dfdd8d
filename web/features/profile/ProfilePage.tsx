import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { Link, Navigate, useLocation } from 'react-router';

import { formatOrgNumber } from '../../../domain/parties.ts';
import {
  LOGO_BYTES_MAX,
  LOGO_TYPES,
  type Profile,
} from '../../../domain/profile/profile.schema.ts';
import { ApiError, hasStatus } from '../../lib/api-error.ts';
import { classNames } from '../../lib/class-names.ts';
import { laterCode } from '../../lib/later-code.ts';
import { paths } from '../../lib/paths.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import drop from '../../ui/FileDrop.module.css';
import { FileButton, useFileDrop } from '../../ui/FileDrop.tsx';
import { LogOutIcon, UploadIcon } from '../../ui/icons.tsx';
import { Page } from '../../ui/Page.tsx';
import { Alert, Card, Fetched, PageSkeleton, Skeleton } from '../../ui/Surface.tsx';
import { useLaterCode } from '../../ui/useLaterCode.ts';
import { OwnCompanyButton } from '../member/OwnCompany.tsx';
import { DeleteAccount } from '../security/DeleteAccount.tsx';
import { Allowed } from '../session/Allowed.tsx';
import { LogoutButton } from '../session/LogoutButton.tsx';
import { useCan, useFeature, useFeatures, useSession } from '../session/session.api.ts';
import { Agreements } from './Agreements.tsx';
import logoCardStyles from './LogoCard.module.css';
import { profileQuery } from './profile.api.ts';
import { ProfileForm } from './ProfileForm.tsx';
import styles from './ProfilePage.module.css';
import { kidAgreementQuery, logoAddress, useDeleteLogo, useSaveLogo } from './settings.api.ts';

const security = laterCode(async () => import('../security/SecurityCard.tsx'));

/** Asks what an invoice needs (PRO-11). The rest of what a company decides has pages of its own. */
export function ProfilePage() {
  const { session } = useSession();
  const profile = useQuery(profileQuery);
  // The form says which account has the agreement, and would move if it came later (WEB-27).
  const kid = useQuery({ ...kidAgreementQuery, enabled: useFeature('payments') });
  const pages = useFurtherPages();
  const hasAgreements = !pages.some(([path]) => path === paths.agreements);
  const { hash } = useLocation();
  const hasSecurity = useFeature('security');
  const isReady = session !== undefined && profile.data !== undefined;
  useEffect(() => {
    if (isReady && hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [isReady, hash]);
  // The session says which links there are. More of them would push down what is there already (WEB-27).
  if (!session) return <PageSkeleton />;
  const [moved] = pages.find(([, , its]) => its === hash) ?? [];
  if (moved) return <Navigate to={moved} replace />;
  return (
    <Page
      heading="Profil"
      width="form"
      actions={
        <>
          <OwnCompanyButton />
          <LogoutButton icon={<LogOutIcon />} />
        </>
      }
    >
      {(profile.data ?? session).isProfileCompleted ? null : (
        <Alert tone="warning">Fullfør profilen før du kan lage fakturaer</Alert>
      )}
      {pages.length === 0 ? null : (
        <nav aria-label="Mer om bedriften" className={styles.links}>
          {pages.map(([path, label]) => (
            <Link key={path} to={path}>
              {label}
            </Link>
          ))}
        </nav>
      )}
      <Fetched query={{ ...profile, data: kid.isLoading ? undefined : profile.data }}>
        {(stored) => (
          <Allowed permission="profile">
            <ProfileForm profile={stored} />
            <LogoCard profile={stored} />
            {hasAgreements ? (
              <div id="agreements">
                <Agreements />
              </div>
            ) : null}
          </Allowed>
        )}
      </Fetched>
      {hasSecurity ? <Security /> : null}
      <Endings />
    </Page>
  );
}

function Security() {
  const code = useLaterCode(security);
  return <div id="security">{code ? <code.SecurityCard /> : <Skeleton height="200px" />}</div>;
}

/** The foot of the profile: the end of the company and, where 'Sikkerhet' has it not, of the account (CLO-12, CLO-16). */
function Endings() {
  const isOn = useFeature('closing');
  const hasSecurity = useFeature('security');
  const canClose = useCan('archive');
  if (!isOn || (hasSecurity && !canClose)) return null;
  return (
    <div className="row gap-2">
      {canClose ? (
        <ButtonLink wide to={paths.closing}>
          Avslutt bedriften
        </ButtonLink>
      ) : null}
      {hasSecurity ? null : <DeleteAccount />}
    </div>
  );
}

/** Pages that are on and that the caller may see, each with its name and the hash that once led to it (PRO-14). */
function useFurtherPages() {
  const features = useFeatures();
  const canExport = useCan('export');
  const canSeeMembers = useCan('members');
  const hasAgreements = (['ehf', 'payments', 'einvoice'] as const).some((one) => features.has(one));
  const pages = [
    [features.has('reminders'), paths.reminderSettings, 'Purringer', '#reminders'],
    [features.has('export') && canExport, paths.exportSettings, 'Kontoer for eksport', '#export'],
    [hasAgreements, paths.agreements, 'Avtaler (KID og EHF)', '#agreements'],
    [features.has('members') && canSeeMembers, paths.members, 'Medlemmer', '#members'],
    [features.has('integrations'), paths.integrations, 'Integrasjoner', '#integrations'],
  ] as const;
  return pages.filter(([isThere]) => isThere).map(([, ...page]) => page);
}

/** Chooses, previews and removes the logo of new documents. */
function LogoCard({ profile }: { profile: Profile }) {
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
        <div id={faultId} className={logoCardStyles.fault} role="alert">
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
    <div className={logoCardStyles.paper}>
      <div className={`stack ${logoCardStyles.left}`}>
        <img key={logo} className={logoCardStyles.logo} src={logoAddress(logo)} alt="Logoen din" />
        <span className={`strong ${logoCardStyles.heading}`} aria-hidden="true">
          FAKTURA
        </span>
      </div>
      <div className={`stack ${logoCardStyles.seller}`} aria-hidden="true">
        <strong>{companyName ?? 'Bedriften din'}</strong>
        {[billingAddress1, place, number].filter(Boolean).map((line) => (
          <span key={line}>{line}</span>
        ))}
      </div>
    </div>
  );
}
