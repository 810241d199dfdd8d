import type { Quote } from '../../../domain/quote/quote.schema.ts';
import { paths } from '../../lib/paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { PencilIcon } from '../../ui/icons.tsx';
import { May } from '../session/Allowed.tsx';

/** The acts on a quote. */
export function QuoteActions({ quote: { uuid, state } }: { quote: Quote }) {
  return (
    <May permission="edit">
      {state === 'DRAFT' ? (
        <ButtonLink to={paths.quoteEdit(uuid)} icon={<PencilIcon />}>
          Endre
        </ButtonLink>
      ) : null}
      <ButtonLink to={paths.quoteCopy(uuid)}>Kopier</ButtonLink>
    </May>
  );
}
