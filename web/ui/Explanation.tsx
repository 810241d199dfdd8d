import { laterCode } from '../lib/later-code.ts';
import { useLaterCode } from './useLaterCode.ts';

// Loaded with the first message that needs it, to keep it out of the first page load.
const explanations = laterCode(async () => import('../lib/explanations.ts'));

/** The Norwegian explanation of an English message; nothing for a Norwegian message. */
export function Explanation(props: { of: string; className?: string | undefined }) {
  // If the explanations cannot be loaded, only the English message is shown.
  const explanation = useLaterCode(explanations)?.explain(props.of);
  return explanation ? (
    <span className={props.className} lang="nb">
      {explanation}
    </span>
  ) : null;
}
