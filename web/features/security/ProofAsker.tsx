import { useEffect, useRef, useState } from 'react';

import type { Session } from '../../../domain/session/session.schema.ts';
import { setProofAsker } from '../../lib/client.ts';
import { useSession } from '../session/session.api.ts';
import { ProofDialog } from './ProofDialog.tsx';

/** Asks once for a proof for all calls of this tab that wait for one. One that is given in another tab counts (SEC-10). */
export function ProofAsker() {
  const { session } = useSession();
  const waiting = useRef<PromiseWithResolvers<boolean>>(null);
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    setProofAsker(async () => {
      waiting.current ??= Promise.withResolvers<boolean>();
      setAsking(true);
      return waiting.current.promise;
    });
  }, []);
  const answer = (isProved: boolean) => {
    setAsking(false);
    waiting.current?.resolve(isProved);
    waiting.current = null;
  };
  if (!isAsking) return null;
  return session ? <Asking session={session} onAnswer={answer} /> : <NoSession onAnswer={answer} />;
}

interface AskingProps {
  readonly session: Session;
  readonly onAnswer: (isProved: boolean) => void;
}

function Asking({ session, onAnswer }: AskingProps) {
  const { provedUntil } = session;
  // The server wants a newer proof than the one that this browser knew of when it asked.
  const [before] = useState(provedUntil);
  const isProved = provedUntil != null && provedUntil !== before;
  useEffect(() => {
    if (isProved) onAnswer(true);
  });
  return <ProofDialog session={session} onCancel={() => onAnswer(false)} />;
}

/** Nobody is logged in any more. */
function NoSession({ onAnswer }: Pick<AskingProps, 'onAnswer'>) {
  useEffect(() => onAnswer(false));
  return null;
}
