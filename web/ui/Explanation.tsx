import { laterCode } from '../lib/later-code.ts';
import { useLaterCode } from './useLaterCode.ts';

// Beside the first message that needs it, and then at once: no first load waits for it.
const explanations = laterCode(async () => import('../lib/explanations.ts'));

interface ExplanationProps {
  /** An English message of the contract. */
  readonly of: string;
  readonly className?: string | undefined;
}

/** What an English message means, in Norwegian; nothing for what is Norwegian already. */
export function Explanation({ of: message, className }: ExplanationProps) {
  // Without it, and without a connection, the English stands alone.
  const explanation = useLaterCode(explanations)?.explain(message);
  return explanation ? (
    <span className={className} lang="nb">
      {explanation}
    </span>
  ) : null;
}
