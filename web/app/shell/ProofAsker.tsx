import { useEffect, useRef, useState } from 'react';

import type { Session } from '../../../domain/session/session.schema.ts';
import { useSession } from '../../features/session/session.api.ts';
import { setProofAsker } from '../../lib/client.ts';
import { laterCode } from '../../lib/later-code.ts';
import { useLaterCode } from '../../ui/useLaterCode.ts';

const dialog = laterCode(async () => import('../../features/security/ProofDialog.tsx'));

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
  const cancel = () => onAnswer(false);
  const code = useLaterCode(dialog, { isNeeded: true, what: 'Dialogen', onFailure: cancel });
  return code ? <code.ProofDialog session={session} onCancel={cancel} /> : null;
}

/** Nobody is logged in any more. */
function NoSession({ onAnswer }: Pick<AskingProps, 'onAnswer'>) {
  useEffect(() => onAnswer(false));
  return null;
}
