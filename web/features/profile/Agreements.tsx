import type { ReactNode } from 'react';

import { Alert } from '../../ui/Surface.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { BankIcon, FileIcon } from '../../ui/icons.tsx';
import styles from './Agreements.module.css';

const SOON = <Badge tone="gray">Kommer snart</Badge>;

/** Stands for a feature that is off. */
const PLANNED = {
  alert: <Alert title="Eksisterende avtale!">Utstederavtale med status Y</Alert>,
  ehf: (
    <AgreementCard
      icon={<FileIcon />}
      title="Efakturautsteder"
      badge={SOON}
      text="Inngå utstederavtale og send efaktura rett til nettbanken."
      action={<Button disabled>Inngå utstederavtale</Button>}
    />
  ),
  kid: (
    <AgreementCard
      icon={<BankIcon />}
      title="KID/OCR-avtale"
      badge={SOON}
      text="Avtale med banken, så registreres innbetalinger av seg selv."
      action={<Button disabled>Inngå KID-avtale</Button>}
    />
  ),
};

/** The agreements that a company can have, with what stands for the features that are on (PRO-13). */
export function Agreements(on: Readonly<Partial<Record<keyof typeof PLANNED, ReactNode>>>) {
  const { alert, ehf, kid } = { ...PLANNED, ...on };
  return (
    <div className="stack gap-4">
      {alert}
      <div className={`grid gap-4 ${styles.cards}`}>
        {ehf}
        {kid}
      </div>
    </div>
  );
}

interface AgreementCardProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly badge: ReactNode;
  readonly text: string;
  readonly action: ReactNode;
}

export function AgreementCard({ icon, title, badge, text, action }: AgreementCardProps) {
  return (
    <section className={`frame stack gap-3 note ${styles.card}`}>
      <div className="row gap-2">
        {icon}
        <h2>{title}</h2>
        {badge}
      </div>
      <p>{text}</p>
      {action}
    </section>
  );
}
