import { useEffect, useState } from 'react';

import { loadCode } from '../load-code.ts';

type Explain = (message: string) => string | null;

// Beside the first message that needs it, and then at once: no first load waits for it.
let loaded: Explain | undefined;

interface ExplanationProps {
  /** An English message of the contract. */
  readonly of: string;
  readonly className?: string | undefined;
}

/** What an English message means, in Norwegian; nothing for what is Norwegian already. */
export function Explanation({ of: message, className }: ExplanationProps) {
  const explain = useExplain();
  const explanation = explain?.(message);
  return explanation ? (
    <span className={className} lang="nb">
      {explanation}
    </span>
  ) : null;
}

/** The table, once it is there. Without it, and without a connection, the English stands alone. */
export function useExplain(): Explain | undefined {
  const [explain, setExplain] = useState(() => loaded);
  useEffect(() => {
    if (loaded) return;
    loadCode(async () => import('./explanations.ts'))
      .then((module) => {
        loaded = module.explain;
        setExplain(() => loaded);
      })
      .catch(() => undefined);
  }, []);
  return explain;
}
