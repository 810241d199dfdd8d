import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import {
  MOST_WEBHOOKS,
  type Webhook,
  type WebhookWithSecret,
} from '../../../domain/integration/webhook.schema.ts';
import { leave } from '../../forms/unsaved-input.tsx';
import { showDay } from '../../lib/date-text.ts';
import { LabelBadge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { PlusIcon } from '../../ui/icons.tsx';
import { type ListColumn, ListTable } from '../../ui/ListTable.tsx';
import { Modal } from '../../ui/Modal.tsx';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { NewWebhookForm, Secret } from './WebhookForms.tsx';
import { WebhookPanel } from './WebhookPanel.tsx';
import { webhooksQuery } from './webhook.api.ts';
import { labelOf } from './webhook-texts.ts';

/** The webhooks of the company, each with its messages, and the form of a new one (INT-25). */
export function WebhooksCard() {
  const webhooks = useQuery(webhooksQuery);
  const [isMaking, setMaking] = useState(false);
  const [opened, setOpened] = useState<string>();
  const close = () => setMaking(false);
  const toggle = (uuid: string) => setOpened((before) => (before === uuid ? undefined : uuid));
  return (
    <>
      <Fetched query={webhooks} pending={<Skeleton height="160px" />}>
        {(list) => (
          <Card
            flush={list.length > 0}
            heading="Webhooks"
            aside={
              <ReasonedButton
                icon={<PlusIcon />}
                whyOff={
                  list.length < MOST_WEBHOOKS
                    ? undefined
                    : `Du har ${MOST_WEBHOOKS} webhooks. Fjern en av dem først.`
                }
                onClick={() => setMaking(true)}
              >
                Lag webhook
              </ReasonedButton>
            }
          >
            {list.length === 0 ? (
              <p className="note">
                Ingen ennå. En webhook sier fra til et annet program når noe skjer, for eksempel når
                en faktura er betalt.
              </p>
            ) : (
              <ListTable
                label="Webhooks"
                columns={columnsOf(opened, toggle)}
                keyOf={({ uuid }) => uuid}
                items={list}
              />
            )}
          </Card>
        )}
      </Fetched>
      {webhooks.data
        ?.filter(({ uuid }) => uuid === opened)
        .map((webhook) => (
          <WebhookPanel key={webhook.uuid} webhook={webhook} />
        ))}
      <Modal title="Ny webhook" open={isMaking} onClose={() => leave(close)}>
        {isMaking ? <NewWebhook onClose={close} /> : null}
      </Modal>
    </>
  );
}

function columnsOf(
  opened: string | undefined,
  toggle: (uuid: string) => void,
): readonly ListColumn<Webhook>[] {
  return [
    {
      heading: 'Adresse',
      kind: 'main',
      cell: ({ url, description }) => (
        <div>
          <span className="cut">{url}</span>
          {description === null ? null : <div className="note">{description}</div>}
        </div>
      ),
    },
    { heading: 'Tilstand', cell: (webhook) => <LabelBadge label={labelOf(webhook)} /> },
    {
      heading: 'Kom sist fram',
      numeric: true,
      cell: ({ lastSuccessAt }) => (lastSuccessAt ? showDay(lastSuccessAt) : 'Ikke ennå'),
    },
    {
      heading: '',
      label: 'Handlinger',
      cell: ({ uuid, url }) => (
        <Button
          variant="quiet"
          aria-label={`${opened === uuid ? 'Skjul' : 'Vis'} ${url}`}
          aria-expanded={opened === uuid}
          onClick={() => toggle(uuid)}
        >
          {opened === uuid ? 'Skjul' : 'Vis'}
        </Button>
      ),
    },
  ];
}

/** The form, and then the secret. */
function NewWebhook({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<WebhookWithSecret>();
  return made ? (
    <Secret secret={made.secret} onDone={onClose} />
  ) : (
    <NewWebhookForm onMade={setMade} onClose={onClose} />
  );
}
