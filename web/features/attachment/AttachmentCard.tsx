import { type ReactNode, useRef, useState } from 'react';

import {
  ATTACHMENT_TYPES,
  endingOf,
  findNoRoom,
  sizeOf,
  type Attachment,
} from '../../../domain/attachment/attachment.schema.ts';
import { addAttachment } from '../../../domain/attachment/attachment.endpoints.ts';
import { ApiError } from '../../lib/api-error.ts';
import { upload } from '../../lib/upload.ts';
import { Alert, Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { ProgressBox } from '../../ui/ProgressBox.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { FileDrop } from '../../ui/FileDrop.tsx';
import { FileIcon, TrashIcon } from '../../ui/icons.tsx';
import type { Attached } from './attachment.api.ts';
import styles from './AttachmentCard.module.css';

const MB = 1024 * 1024;
const TYPES: readonly string[] = Object.values(ATTACHMENT_TYPES);
const ACCEPTED = [...TYPES, ...Object.keys(ATTACHMENT_TYPES).map((ending) => `.${ending}`)].join();

interface AttachmentCardProps {
  readonly attached: Attached;
  /** The document that they go along with: 'fakturaen'. */
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
            {isOpen ? <AddFiles {...attached} files={files} /> : null}
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

interface FileRowProps {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly pending?: boolean;
  /** Absent where the file stays. */
  readonly onRemove: (() => void) | undefined;
  readonly children: ReactNode;
}

function FileRow({ name, size, pending = false, onRemove, children }: FileRowProps) {
  return (
    <li className={`row gap-3 ${styles.file}`}>
      <FileIcon />
      {children}
      <span className="soft numeric">{sizeText(size)}</span>
      {onRemove ? (
        <IconButton
          label={`Fjern ${name}`}
          icon={<TrashIcon />}
          pending={pending}
          onClick={onRemove}
        />
      ) : null}
    </li>
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
  latest,
  files,
}: Pick<Attached, 'add' | 'latest'> & { readonly files: readonly Attachment[] }) {
  const [sending, setSending] = useState<Sending | null>(null);
  const [faults, setFaults] = useState<readonly string[]>([]);
  const queue = useRef(Promise.resolve());
  const send = async (chosen: readonly File[]) => {
    for (const file of chosen) {
      const { name } = file;
      let fault = faultBeside(file, latest());
      if (!fault) {
        setSending({ name, share: 0 });
        const onProgress = (share: number) => setSending({ name, share });
        fault = await mutateAsync({ file, onProgress }).then(() => undefined, reasonOf);
      }
      if (fault) setFaults((earlier) => [...earlier, `${name}: ${fault}`]);
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

/** The files of an invoice that is not made yet. */
export interface NewFiles {
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
}

/** Chooses the files that each of the new invoices gets. They are sent when the invoices are saved. */
export function NewAttachments({ files, onChange }: NewFiles) {
  const [faults, setFaults] = useState<readonly string[]>([]);
  const add = (chosen: readonly File[]) => {
    let taken = files;
    const refused: string[] = [];
    for (const file of chosen) {
      const others = taken.filter(({ name }) => name !== file.name);
      const fault = faultOf(file, others);
      if (fault) refused.push(`${file.name}: ${fault}`);
      else taken = [...others, file];
    }
    setFaults(refused);
    onChange(taken);
  };
  return (
    <Card heading="Vedlegg">
      <div className="stack gap-4">
        {files.length > 0 ? (
          <ul className="stack gap-2" aria-label="Filer som følger med fakturaen">
            {files.map((file) => (
              <FileRow
                key={file.name}
                name={file.name}
                size={file.size}
                onRemove={() => onChange(files.filter((other) => other !== file))}
              >
                <span className="grow cut">{file.name}</span>
              </FileRow>
            ))}
          </ul>
        ) : null}
        <FileChoice used={sizeOf(files)} onFiles={add} />
        <Faults faults={faults} />
      </div>
    </Card>
  );
}

/**
 * Sends the files to each of the invoices, one at a time.
 *
 * @returns why some were not taken
 */
export async function attachAll(
  drafts: readonly { readonly uuid: string }[],
  files: readonly File[],
): Promise<string[]> {
  const faults = new Set<string>();
  for (const { uuid: invoiceUuid } of drafts) {
    for (const file of files) {
      try {
        await upload(addAttachment, { params: { invoiceUuid }, query: { name: file.name } }, file);
      } catch (error) {
        faults.add(`${file.name}: ${reasonOf(error)}`);
      }
    }
  }
  return [...faults];
}

/** The fault of a file beside the stored ones, before it is sent. The server makes pictures smaller (DOC-25). */
function faultBeside(file: File, others: readonly Attachment[]): string | undefined {
  const fault = faultOf(file, others);
  return file.type.startsWith('image/') && fault === NO_ROOM.attachments_too_large
    ? undefined
    : fault;
}

/** The fault of a file beside the others of its document, as the server would tell it. */
function faultOf(
  { name, type, size }: File,
  others: readonly { readonly size: number }[],
): string | undefined {
  // Without a type the browser does not know it either.
  if (type !== '' && !endingOf(name) && !TYPES.includes(type))
    return 'Et vedlegg må være PDF, PNG, JPEG, CSV, XLSX eller ODS, uten makroer.';
  if (size === 0) return 'Filen er tom.';
  const noRoom = findNoRoom(size, others);
  return noRoom && NO_ROOM[noRoom];
}

const NO_ROOM = {
  attachment_too_large: 'Filen er for stor. Det er plass til 5 MB i hvert vedlegg.',
  too_many_attachments: 'Det er plass til høyst ti vedlegg.',
  attachments_too_large: 'Det er plass til 9 MB til sammen.',
};

interface FileChoiceProps {
  /** Bytes of the files that are there. */
  readonly used: number;
  readonly onFiles: (chosen: readonly File[]) => void;
}

function FileChoice({ used, onFiles }: FileChoiceProps) {
  return (
    <FileDrop
      title="Legg ved filer"
      variant="secondary"
      label="Velg filer"
      accept={ACCEPTED}
      multiple
      onFiles={onFiles}
    >
      PDF, bilder, CSV og regneark. Høyst 5 MB hver, og 9 MB til sammen
      {used > 0 ? ` (${sizeText(used)} er brukt)` : ''}.
    </FileDrop>
  );
}

function Faults({ faults }: { readonly faults: readonly string[] }) {
  return (
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
  );
}

function reasonOf(error: unknown): string {
  const [reason] = error instanceof ApiError ? error.detail : [];
  if (reason) return `${reason.message}.`.replace('..', '.');
  return 'Filen kom ikke fram. Prøv igjen om litt.';
}

/** '312 kB' or '4,2 MB'. */
function sizeText(bytes: number): string {
  if (bytes < MB) return `${Math.max(1, Math.round(bytes / 1024))}\u00A0kB`;
  return `${(bytes / MB).toLocaleString('nb-NO', { maximumFractionDigits: 1 })}\u00A0MB`;
}
