import { useRef, useState } from 'react';

import {
  ATTACHMENT_LIMITS,
  type Attachment,
} from '../../../domain/attachment/attachment.schema.ts';
import { ProgressBox } from '../../ui/ProgressBox.tsx';
import { Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import type { Attached } from './attachment.api.ts';
import { Faults, FileChoice, FileRow, FileTooLarge, reasonOf, sizeOf } from './NewAttachments.tsx';

interface AttachmentCardProps {
  readonly attached: Attached;
  /** What the files go along with: 'fakturaen'. */
  readonly what: string;
  /** Whether files may be added and taken away: of a draft. */
  readonly isOpen: boolean;
}

/** The files that the customer gets with an invoice or a quote. They never change once it is sent. */
export function AttachmentCard({ attached, what, isOpen }: AttachmentCardProps) {
  const { query } = attached;
  const mayHaveFiles = query.data ? query.data.length > 0 : query.isError;
  if (!isOpen && !mayHaveFiles) return null;
  return (
    <Card heading="Vedlegg">
      <Fetched query={query} pending={<Skeleton height="96px" />}>
        {(files) => (
          <div className="stack gap-4">
            <Files {...{ attached, what, isOpen, files }} />
            {isOpen ? <AddFiles add={attached.add} files={files} /> : null}
          </div>
        )}
      </Fetched>
    </Card>
  );
}

function Files({
  attached: { remove, pathOf },
  what,
  isOpen,
  files,
}: AttachmentCardProps & { readonly files: readonly Attachment[] }) {
  if (files.length === 0) return null;
  return (
    <ul className="stack gap-2" aria-label={`Filer som følger med ${what}`}>
      {files.map(({ uuid, name, size }) => (
        <FileRow
          key={uuid}
          name={name}
          size={size}
          pending={remove.isPending && remove.variables === uuid}
          onRemove={isOpen ? () => remove.mutate(uuid) : undefined}
        >
          <a className="grow cut" href={pathOf(uuid)} download={name}>
            {name}
          </a>
        </FileRow>
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
function AddFiles({
  add: { mutateAsync },
  files,
}: Pick<Attached, 'add'> & { readonly files: readonly Attachment[] }) {
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
  return (
    <>
      <FileChoice
        used={sizeOf(files)}
        onFiles={(chosen) => {
          if (!sending) setFaults([]);
          queue.current = queue.current.then(async () => send(chosen));
        }}
      />
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
      <Faults faults={faults} />
    </>
  );
}
