import { Card } from '../../../ui/Surface.tsx';

export function MessageCard({ message }: { message: string }) {
  return (
    <Card heading="Melding til kunden">
      <p className="lead lines">{message}</p>
    </Card>
  );
}
