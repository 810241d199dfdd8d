import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { dayAndTime } from '../../../domain/date.ts';
import type {
  Webhook,
  WebhookDelivery,
  WebhookDeliveryDetail,
} from '../../../domain/integration/webhook.schema.ts';
import { DialogButton } from '../../forms/DialogForm.tsx';
import { LabelBadge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { type ListColumn, ListTable } from '../../ui/ListTable.tsx';
import { ConfirmButton, Modal } from '../../ui/Modal.tsx';
import { Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import {
  deliveriesQuery,
  deliveryQuery,
  useDeleteWebhook,
  useResend,
  useRotateSecret,
  useTestWebhook,
} from './webhook.api.ts';
import { answerText, nameOfMessage, STATE_LABELS } from './webhook-texts.ts';
import { ChangeWebhookForm, Secret } from './WebhookForms.tsx';
import styles from './WebhookPanel.module.css';

/** Shows the actions on a webhook, and the log of its messages. */
export function WebhookPanel({ webhook }: { webhook: Webhook }) {
  const { uuid, url } = webhook;
  const [page, setPage] = useState(1);
  const [opened, setOpened] = useState<string>();
  const deliveries = useQuery(deliveriesQuery(uuid, page));
  return (
    <Card
      flush={deliveries.data !== undefined && deliveries.data.count > 0}
      heading={`Meldinger til ${new URL(url).host}`}
      aside={<Actions webhook={webhook} />}
    >
      <Fetched query={deliveries} pending={<Skeleton height="160px" />}>
        {({ results, next, previous }) =>
          results.length === 0 ? (
            <p className="note">Ingen meldinger de siste 30 dagene.</p>
          ) : (
            <>
              <ListTable
                label="Meldinger"
                columns={columnsOf(webhook, setOpened)}
                keyOf={(one) => one.uuid}
                items={results}
              />
              {next || previous ? (
                <div className={`row gap-2 ${styles.pager}`}>
                  <Button disabled={!previous} onClick={() => setPage(page - 1)}>
                    Nyere
                  </Button>
                  <Button disabled={!next} onClick={() => setPage(page + 1)}>
                    Eldre
                  </Button>
                </div>
              ) : null}
            </>
          )
        }
      </Fetched>
      <Modal title="Melding" open={opened !== undefined} onClose={() => setOpened(undefined)}>
        {opened === undefined ? null : <Message uuid={uuid} deliveryUuid={opened} />}
      </Modal>
    </Card>
  );
}

function Actions({ webhook }: { webhook: Webhook }) {
  const { uuid } = webhook;
  const test = useTestWebhook();
  const rotate = useRotateSecret();
  const remove = useDeleteWebhook();
  return (
    <div className="row gap-2">
      <Button pending={test.isPending} onClick={() => test.mutate(uuid)}>
        Send en prøve
      </Button>
      <DialogButton label="Endre" title="Endre webhook">
        {(close) => <ChangeWebhookForm webhook={webhook} onClose={close} />}
      </DialogButton>
      <ConfirmButton
        label="Bytt hemmelighet"
        title="Bytte hemmeligheten?"
        confirmLabel="Bytt"
        pending={rotate.isPending}
        onConfirm={(onSuccess) => rotate.mutate(uuid, { onSuccess })}
      >
        Den gamle virker i 24 timer til, så du rekker å bytte hos mottakeren.
      </ConfirmButton>
      <ConfirmButton
        variant="quiet"
        label="Fjern"
        title="Fjerne webhooken?"
        confirmLabel="Fjern"
        pending={remove.isPending}
        onConfirm={(onSuccess) => remove.mutate(uuid, { onSuccess })}
      >
        Mottakeren får ingen flere meldinger, og loggen blir borte.
      </ConfirmButton>
      <Modal title="Ny hemmelighet" open={rotate.data !== undefined} onClose={() => rotate.reset()}>
        {rotate.data ? <Secret secret={rotate.data.secret} onDone={() => rotate.reset()} /> : null}
      </Modal>
    </div>
  );
}

function columnsOf(
  { uuid, active }: Webhook,
  open: (uuid: string) => void,
): readonly ListColumn<WebhookDelivery>[] {
  return [
    {
      heading: 'Melding',
      kind: 'main',
      cell: ({ type, createdAt }) => (
        <div>
          {nameOfMessage(type)}
          <div className="note">{dayAndTime(createdAt)}</div>
        </div>
      ),
    },
    {
      heading: 'Tilstand',
      cell: ({ state, lastStatus, lastError, nextAttemptAt, attempts }) => (
        <div>
          <LabelBadge label={STATE_LABELS[state]} />
          <div className="note">
            {answerText(lastStatus, lastError)}
            {nextAttemptAt && attempts > 0 ? `. Prøver igjen ${dayAndTime(nextAttemptAt)}` : null}
          </div>
        </div>
      ),
    },
    { heading: 'Forsøk', numeric: true, cell: ({ attempts }) => attempts },
    {
      heading: '',
      label: 'Handlinger',
      cell: (delivery) => (
        <div className="row gap-2">
          <Button variant="quiet" onClick={() => open(delivery.uuid)}>
            Vis
          </Button>
          {active && delivery.state !== 'WAITING' ? (
            <ResendButton uuid={uuid} deliveryUuid={delivery.uuid} />
          ) : null}
        </div>
      ),
    },
  ];
}

function ResendButton({ uuid, deliveryUuid }: { uuid: string; deliveryUuid: string }) {
  const resend = useResend(uuid);
  return (
    <Button variant="quiet" pending={resend.isPending} onClick={() => resend.mutate(deliveryUuid)}>
      Send på nytt
    </Button>
  );
}

function Message({ uuid, deliveryUuid }: { uuid: string; deliveryUuid: string }) {
  const message = useQuery(deliveryQuery(uuid, deliveryUuid));
  return (
    <Fetched query={message}>
      {({ body, tries }) => (
        <div className="stack">
          <TextBlock>{body}</TextBlock>
          {tries.map((attempt) => (
            <Attempt key={attempt.at} attempt={attempt} />
          ))}
        </div>
      )}
    </Fetched>
  );
}

function Attempt({ attempt }: { attempt: WebhookDeliveryDetail['tries'][number] }) {
  const { at, status, error, milliseconds, response } = attempt;
  return (
    <div>
      <p>
        {dayAndTime(at)}: {answerText(status, error)} ({milliseconds} ms)
      </p>
      {response === '' ? null : <TextBlock>{response}</TextBlock>}
    </div>
  );
}

/** A text that others wrote, in lines that break. */
function TextBlock({ children }: { children: string }) {
  return <p className={`note ${styles.text}`}>{children}</p>;
}
