import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import {
  ATTACHMENT_LIMITS,
  ATTACHMENT_TYPES,
  type Attachment,
} from '../../../domain/attachment/attachment.schema.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { ApiError } from '../../lib/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { Alert } from '../../ui/Alert.tsx';
import { ProgressBox } from '../../ui/ProgressBox.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { FileDrop } from '../../ui/FileDrop.tsx';
import { FileIcon, TrashIcon } from '../../ui/icons.tsx';
import { Card, Skeleton } from '../../ui/Surface.tsx';
import { attachmentsQuery, useAddAttachment, useDeleteAttachment } from './attachment.api.ts';
import styles from './AttachmentCard.module.css';

const MB = 1024 * 1024;
const ACCEPTED = [...Object.values(ATTACHMENT_TYPES), '.csv', '.xlsx', '.ods'].join();

interface AttachmentCardProps {
  readonly invoice: Pick<Invoice, 'uuid' | 'status'>;
}

/** The files that the customer gets with the invoice. Files are added to a draft, and never change afterwards. */
export function AttachmentCard({ invoice: { uuid, status } }: AttachmentCardProps) {
  const query = useQuery(attachmentsQuery(uuid));
  const isDraft = status === 'DRAFT';
  const mayHaveFiles = query.data ? query.data.length > 0 : query.isError;
  if (!isDraft && !mayHaveFiles) return null;
  return (
    <Card heading="Vedlegg">
      <Fetched query={query} pending={<Skeleton height="96px" />}>
        {(files) => (
          <div className="stack gap-4">
            <Files invoiceUuid={uuid} files={files} isDraft={isDraft} />
            {isDraft ? <AddFiles invoiceUuid={uuid} files={files} /> : null}
          </div>
        )}
      </Fetched>
    </Card>
  );
}

interface FilesProps {
  readonly invoiceUuid: string;
  readonly files: readonly Attachment[];
  readonly isDraft: boolean;
}

function Files({ invoiceUuid, files, isDraft }: FilesProps) {
  const remove = useDeleteAttachment(invoiceUuid);
  if (files.length === 0) return null;
  return (
    <ul className="stack gap-2" aria-label="Filer som følger med fakturaen">
      {files.map(({ uuid, name, size }) => (
        <li key={uuid} className={`row gap-3 ${styles.file}`}>
          <FileIcon />
          <a className="grow cut" href={paths.attachment(invoiceUuid, uuid)} download={name}>
            {name}
          </a>
          <span className="soft numeric">{sizeText(size)}</span>
          {isDraft ? (
            <IconButton
              label={`Fjern ${name}`}
              icon={<TrashIcon />}
              pending={remove.isPending && remove.variables === uuid}
              onClick={() => remove.mutate(uuid)}
            />
          ) : null}
        </li>
      ))}
    </ul>
  );
}

interface Sending {
  readonly name: string;
  /** From 0 to 1. */
  readonly share: number;
}

/** Sends files one at a time, and tells why some were not taken. The rest is kept. */
function AddFiles({ invoiceUuid, files }: Omit<FilesProps, 'isDraft'>) {
  const { mutateAsync } = useAddAttachment(invoiceUuid);
  const [sending, setSending] = useState<Sending | null>(null);
  const [faults, setFaults] = useState<readonly string[]>([]);
  const queue = useRef(Promise.resolve());
  const send = async (chosen: readonly File[]) => {
    for (const file of chosen) {
      const { name } = file;
      try {
        if (file.size > ATTACHMENT_LIMITS.bytesOfFile) throw new FileTooLarge();
        setSending({ name, share: 0 });
        await mutateAsync({ file, onProgress: (share) => setSending({ name, share }) });
      } catch (error) {
        setFaults((earlier) => [...earlier, `${name}: ${reasonOf(error)}`]);
      }
    }
    setSending(null);
  };
  const used = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <>
      <FileDrop
        title="Legg ved filer"
        variant="secondary"
        label="Velg filer"
        accept={ACCEPTED}
        multiple
        onFiles={(chosen) => {
          if (!sending) setFaults([]);
          queue.current = queue.current.then(async () => send(chosen));
        }}
      >
        PDF, bilder, CSV og regneark. Høyst 5 MB hver, og 9 MB til sammen
        {used > 0 ? ` (${sizeText(used)} er brukt)` : ''}.
      </FileDrop>
      <div aria-live="polite">
        {sending ? (
          <ProgressBox
            label={`Framdrift for ${sending.name}`}
            share={sending.share < 1 ? sending.share : undefined}
          >
            <p>
              {sending.share < 1 ? 'Sender' : 'Leser'}{' '}
              <span className="strong">{sending.name}</span>
            </p>
          </ProgressBox>
        ) : null}
      </div>
      <div role="alert">
        {faults.length > 0 ? (
          <Alert
            tone="error"
            title={faults.length === 1 ? 'Filen ble ikke lagt ved' : 'Noen filer ble ikke lagt ved'}
          >
            {faults.map((fault) => (
              <p key={fault}>{fault}</p>
            ))}
          </Alert>
        ) : null}
      </div>
    </>
  );
}

class FileTooLarge extends Error {}

function reasonOf(error: unknown): string {
  if (error instanceof FileTooLarge) {
    return 'Filen er for stor. Det er plass til 5 MB i hvert vedlegg.';
  }
  const [reason] = error instanceof ApiError ? error.detail : [];
  if (reason) return `${reason.message}.`.replace('..', '.');
  return 'Filen kom ikke fram. Prøv igjen om litt.';
}

/** '312 kB' or '4,2 MB'. */
function sizeText(bytes: number): string {
  if (bytes < MB) return `${Math.max(1, Math.round(bytes / 1024))}\u00A0kB`;
  return `${(bytes / MB).toLocaleString('nb-NO', { maximumFractionDigits: 1 })}\u00A0MB`;
}
