import type { ListedStatus } from '../../../../domain/invoice/invoice-list.schema.ts';
import { Button } from '../../../ui/Button.tsx';
import { CheckCircleIcon, SearchIcon } from '../../../ui/icons.tsx';
import { Card, EmptyState } from '../../../ui/Surface.tsx';

interface NoneFoundProps {
  readonly status: ListedStatus | undefined;
  readonly onAll: () => void;
}

export function NoneFound({ status, onAll }: NoneFoundProps) {
  const { title, text, isGood = false } = status ? NONE_OF[status] : NOTHING_FOUND;
  return (
    <Card>
      <EmptyState
        icon={isGood ? <CheckCircleIcon /> : <SearchIcon />}
        title={title}
        action={<Button onClick={onAll}>Vis alle fakturaer</Button>}
      >
        {text}
      </EmptyState>
    </Card>
  );
}

interface Words {
  readonly title: string;
  readonly text: string;
  /** Whether an empty list is good news. */
  readonly isGood?: boolean;
}

const NOTHING_FOUND: Words = { title: 'Ingen treff', text: 'Ingen fakturaer passer til søket.' };

const NONE_OF: Readonly<Record<ListedStatus, Words>> = {
  DRAFT: {
    title: 'Ingen utkast',
    text: 'Alt du har laget, er registrert. En ny faktura er et utkast til du registrerer den.',
    isGood: true,
  },
  REGISTERED: {
    title: 'Ingen registrerte fakturaer',
    text: 'Et utkast får nummer og kommer hit når du registrerer det. Det som er betalt, står under «Betalt».',
  },
  PAID: {
    title: 'Ingen betalte fakturaer ennå',
    text: 'Trykk på haken ved en faktura når pengene er kommet, så flyttes den hit.',
  },
  CANCELLED: {
    title: 'Ingen kansellerte fakturaer',
    text: 'En registrert faktura som slettes, blir kreditert og kommer hit.',
  },
  OUTSTANDING: {
    title: 'Alt er betalt',
    text: 'Ingen skylder deg noe på en registrert faktura.',
    isGood: true,
  },
  OVERDUE: {
    title: 'Ingenting er forfalt',
    text: 'Ingen av fakturaene som venter på betaling, har passert forfallsdatoen.',
    isGood: true,
  },
  FAILED: {
    title: 'Ingenting har feilet',
    text: 'Alt som er sendt, er levert eller på vei. Det som ikke kommer fram, viser vi her.',
    isGood: true,
  },
};
