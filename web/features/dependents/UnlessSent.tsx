import type { ReactNode } from 'react';

import type { Assignment } from '../../../domain/recurring/recurring.schema.ts';
import { Alert } from '../../ui/Alert.tsx';
import { useSender } from './useSender.ts';

interface UnlessSentProps {
  /** Whether an assignment makes its invoices of the record. */
  readonly uses: (assignment: Assignment) => boolean;
  readonly children: ReactNode;
}

/** A form whose fields are off, with the reason, where an assignment sends from its record and the caller may not. */
export function UnlessSent({ uses, children }: UnlessSentProps) {
  const sender = useSender()(uses);
  return (
    <>
      {sender === undefined ? null : (
        <div className="above">
          <Alert>{`Det faste oppdraget «${sender}» sender fakturaer herfra av seg selv, og du har ikke tilgang til å sende. En eier i bedriften kan gi deg det.`}</Alert>
        </div>
      )}
      <fieldset disabled={sender !== undefined} className="read-only">
        {children}
      </fieldset>
    </>
  );
}
