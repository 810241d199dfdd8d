import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

import { formatInstant } from '../../../domain/date.ts';
import type { LoginWay, OwnSession } from '../../../domain/session/session.schema.ts';
import { showDay } from '../../lib/date-text.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import styles from './SecurityCard.module.css';
import { LogoutButton } from '../session/LogoutButton.tsx';
import { useFeature } from '../session/session.api.ts';
import { useHasPasskeys } from '../session/passkey.api.ts';
import { DeleteAccount } from './DeleteAccount.tsx';
import { Passkeys } from './Passkeys.tsx';
import { sessionsQuery, useEndOtherSessions, useEndSession } from './security.api.ts';

/** How an account is logged in to (SEC-6). */
export function SecurityCard() {
  const place = useRef<HTMLDivElement>(null);
  const hasPasskeys = useHasPasskeys();
  const hasClosing = useFeature('closing');
  const isMeant = useLocation().hash === '#security';
  useEffect(() => {
    if (isMeant) place.current?.scrollIntoView();
  }, [isMeant]);
  return (
    <div ref={place}>
      <Card heading="Sikkerhet">
        <div className="stack">
          {hasPasskeys ? <Passkeys /> : null}
          <Sessions />
          {hasClosing ? (
            <div>
              <DeleteAccount />
            </div>
          ) : null}
        </div>
      </Card>
    </div>
  );
}

function Sessions() {
  const sessions = useQuery(sessionsQuery);
  const endOthers = useEndOtherSessions();
  return (
    <div className="stack gap-3">
      <h3>Innlogginger</h3>
      <Fetched query={sessions} pending={<Skeleton height="3rem" />}>
        {(list) => (
          <>
            <ul className="stack gap-3" aria-label="Innlogginger">
              {list.map((session) => (
                <li key={session.uuid} className={styles.item}>
                  <SessionText session={session} />
                  {session.isThis ? (
                    <LogoutButton variant="quiet" aria-label="Logg ut her" />
                  ) : (
                    <EndButton session={session} />
                  )}
                </li>
              ))}
            </ul>
            {list.length > 1 ? (
              <div>
                <Button wide pending={endOthers.isPending} onClick={() => endOthers.mutate()}>
                  Logg ut alle andre
                </Button>
              </div>
            ) : null}
          </>
        )}
      </Fetched>
    </div>
  );
}

const WAYS: Readonly<Record<LoginWay, string>> = {
  CODE: 'med kode',
  LINK: 'med lenke',
  PASSKEY: 'med passnøkkel',
  INVITATION: 'med en invitasjon',
};

function SessionText({ session }: { session: OwnSession }) {
  const { browser, createdAt, how, isThis, lastSeenAt } = session;
  return (
    <div>
      <span className="row gap-2">
        <span>{browser}</span>
        {isThis ? <Badge tone="green">Denne nettleseren</Badge> : null}
      </span>
      <div className="note">
        Logget inn {formatInstant(createdAt)} {WAYS[how]}.
        {isThis ? null : ` Sist brukt ${showDay(lastSeenAt)}.`}
      </div>
    </div>
  );
}

function EndButton({ session: { browser, uuid } }: { session: OwnSession }) {
  const end = useEndSession();
  return (
    <Button
      variant="quiet"
      aria-label={`Logg ut ${browser}`}
      pending={end.isPending}
      onClick={() => end.mutate(uuid)}
    >
      Logg ut
    </Button>
  );
}
