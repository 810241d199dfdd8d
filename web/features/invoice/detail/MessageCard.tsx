import { Card } from '../../../ui/Surface.tsx';
import styles from './MessageCard.module.css';

export function MessageCard({ message }: { message: string }) {
  return (
    <Card heading="Melding til kunden">
      <p className={styles.message}>{message}</p>
    </Card>
  );
}
