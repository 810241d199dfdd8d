import type { Profile } from '../../../domain/profile/profile.schema.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { BankIcon, FileIcon } from '../../ui/icons.tsx';
import { AgreementCard } from './AgreementCard.tsx';
import styles from './Agreements.module.css';
import { EhfAgreementAlert, EhfAgreementCard } from './EhfAgreement.tsx';
import { KidAgreementCard } from './KidAgreement.tsx';

const SOON = <Badge tone="gray">Kommer snart</Badge>;

interface AgreementsProps {
  readonly sendsEhf: boolean;
  /** The accounts that a KID agreement can cover; undefined when payments are off. */
  readonly kidAccounts: Profile['bankAccounts'] | undefined;
}

/** The agreements that a company can have. A card is disabled when its feature is off (PRO-13). */
export function Agreements({ sendsEhf, kidAccounts }: AgreementsProps) {
  return (
    <div className={styles.agreements}>
      {sendsEhf ? <EhfAgreementAlert /> : <PlannedAlert />}
      <div className={styles.cards}>
        {sendsEhf ? <EhfAgreementCard /> : <PlannedEhfCard />}
        {kidAccounts ? null : <PlannedKidCard />}
      </div>
      {kidAccounts ? <KidAgreementCard accounts={kidAccounts} /> : null}
    </div>
  );
}

function PlannedAlert() {
  return (
    <Alert tone="info" title="Eksisterende avtale!">
      Utstederavtale med status Y
    </Alert>
  );
}

function PlannedEhfCard() {
  return (
    <AgreementCard
      icon={<FileIcon />}
      title="Efakturautsteder"
      badge={SOON}
      text="Inngå utstederavtale og send efaktura rett til nettbanken."
      action={<Button disabled>Inngå utstederavtale</Button>}
    />
  );
}

function PlannedKidCard() {
  return (
    <AgreementCard
      icon={<BankIcon />}
      title="KID/OCR-avtale"
      badge={SOON}
      text="Avtale med banken, så registreres innbetalinger av seg selv."
      action={<Button disabled>Inngå KID-avtale</Button>}
    />
  );
}
