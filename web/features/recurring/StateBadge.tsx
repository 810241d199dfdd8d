import type { Assignment } from '../../../domain/recurring/recurring.schema.ts';
import { Badge } from '../../ui/Badge.tsx';
import { STATE_LABELS } from './recurring-labels.ts';

export function StateBadge({ state }: { state: Assignment['state'] }) {
  const { text, tone } = STATE_LABELS[state];
  return <Badge tone={tone}>{text}</Badge>;
}
