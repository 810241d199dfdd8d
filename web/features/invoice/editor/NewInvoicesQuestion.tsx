import { formatOre } from '../../../../domain/money.ts';
import { UnprintableNotice } from '../../../ui/UnprintableNotice.tsx';
import { planFor, SendingQuestion, type Wish } from '../SendingQuestion.tsx';

interface NewInvoicesQuestionProps {
  readonly wish: Wish;
  readonly hints: readonly string[];
  /** The values of the form. */
  readonly values: unknown;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks before new invoices are registered: with what is to be looked over. */
export function NewInvoicesQuestion(props: NewInvoicesQuestionProps) {
  const { wish, hints, values, ...dialog } = props;
  const { count, missing, gross } = wish;
  return (
    <SendingQuestion plan={planFor(wish)} {...dialog}>
      {gross !== undefined && (count ?? 2) - missing.length > 1 ? (
        <p>{formatOre(gross)} kr hver.</p>
      ) : null}
      {hints.map((hint) => (
        <p key={hint}>{hint}.</p>
      ))}
      <UnprintableNotice content={values} />
    </SendingQuestion>
  );
}
