import { Alert } from '../../ui/Alert.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { BankIcon, FileIcon } from '../../ui/icons.tsx';
import styles from './PlannedAgreements.module.css';

const PLANNED = [
  {
    icon: <FileIcon />,
    title: 'Efakturautsteder',
    text: 'Inngå utstederavtale og send efaktura rett til nettbanken.',
    button: 'Inngå utstederavtale',
  },
  {
    icon: <BankIcon />,
    title: 'KID/OCR-avtale',
    text: 'Avtale med banken, så registreres innbetalinger av seg selv.',
    button: 'Inngå KID-avtale',
  },
];

/** What is planned and cannot be used yet (specification § 1). */
export function PlannedAgreements() {
  return (
    <div className={styles.planned}>
      <Alert tone="info" title="Eksisterende avtale!">
        Utstederavtale med status Y
      </Alert>
      <div className={styles.cards}>
        {PLANNED.map((card) => (
          <section key={card.title} className={styles.card}>
            <div className={styles.head}>
              {card.icon}
              <h2 className={styles.title}>{card.title}</h2>
              <Badge tone="gray">Kommer snart</Badge>
            </div>
            <p>{card.text}</p>
            <Button disabled>{card.button}</Button>
          </section>
        ))}
      </div>
    </div>
  );
}
