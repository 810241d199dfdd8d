import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';

import { BANK_FILE_BYTES_MAX, type BankFile } from '../../../domain/bank-file/bank-file.schema.ts';
import { ApiError, RequestAborted } from '../../lib/api-error.ts';
import { showCount } from '../../lib/number-text.ts';
import { paths } from '../../lib/paths.ts';
import { Alert } from '../../ui/Surface.tsx';
import { Button } from '../../ui/Button.tsx';
import { Explanation } from '../../ui/Explanation.tsx';
import { ProgressBox } from '../../ui/ProgressBox.tsx';
import { showTotal } from './bank-file-labels.ts';
import { useReadBankFile } from './bank-file.api.ts';

const FAULTS_SHOWN = 10;
const TOO_LARGE = 'Filen er for stor. Vi leser filer på opptil 50 MB.';

interface Upload {
  readonly id: number;
  readonly file: File;
  readonly course:
    | { readonly state: 'WAITING' }
    /** The share sent, from 0 to 1. The server reads the file during and after the transfer. */
    | { readonly state: 'SENDING'; readonly share: number }
    | { readonly state: 'READ'; readonly read: BankFile; readonly isNew: boolean }
    | { readonly state: 'FAILED'; readonly faults: readonly string[] };
}

/**
 * Uploads files one at a time, in the order given. Leaving the screen aborts the rest.
 *
 * @param onAlone called when a file that was given alone has been read
 */
export function useUploads(onAlone: (read: BankFile, isNew: boolean) => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const { mutateAsync } = useReadBankFile();
  const queue = useRef(Promise.resolve());
  const lastId = useRef(0);
  /** The uploads in progress or in the queue. */
  const sendings = useRef(new Map<number, AbortController>());
  useEffect(() => {
    const { current } = sendings;
    return () => {
      for (const sending of current.values()) sending.abort();
      current.clear();
    };
  }, []);
  const setCourse = (id: number, course: Upload['course']) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, course } : upload)));

  const read = async ({ id, file }: Upload, isAlone: boolean) => {
    const signal = sendings.current.get(id)?.signal;
    // It was removed meanwhile.
    if (!signal) return;
    try {
      if (file.size > BANK_FILE_BYTES_MAX) {
        setCourse(id, { state: 'FAILED', faults: [TOO_LARGE] });
        return;
      }
      const onProgress = (share: number) => setCourse(id, { state: 'SENDING', share });
      onProgress(0);
      const { answer, isNew } = await mutateAsync({ file, signal, onProgress });
      setCourse(id, { state: 'READ', read: answer, isNew });
      if (isAlone) onAlone(answer, isNew);
    } catch (error) {
      if (!(error instanceof RequestAborted)) {
        setCourse(id, { state: 'FAILED', faults: faultsOf(error as Error) });
      }
    } finally {
      sendings.current.delete(id);
    }
  };
  const add = (files: readonly File[]) => {
    const isAlone = files.length === 1 && sendings.current.size === 0;
    for (const file of files) {
      lastId.current += 1;
      const upload: Upload = { id: lastId.current, file, course: { state: 'WAITING' } };
      sendings.current.set(upload.id, new AbortController());
      setUploads((all) => [...all, upload]);
      queue.current = queue.current.then(async () => read(upload, isAlone));
    }
  };
  const remove = (id: number) => {
    sendings.current.get(id)?.abort();
    sendings.current.delete(id);
    setUploads((all) => all.filter((upload) => upload.id !== id));
  };
  const retry = ({ id, file }: Upload) => {
    remove(id);
    add([file]);
  };
  return { uploads, add, remove, retry };
}

/** The reasons why a file could not be read, with line numbers. */
function faultsOf(error: Error): readonly string[] {
  if (!(error instanceof ApiError)) return [`${error.message}. Prøv igjen når nettet er tilbake.`];
  if (error.status === 413) return [TOO_LARGE];
  const faults = error.detail.map(({ message, line }) =>
    line === undefined ? message : `Linje ${showCount(line)}: ${message}`,
  );
  return faults.length > 0 ? faults : [error.message];
}

interface UploadListProps {
  readonly uploads: readonly Upload[];
  readonly onRemove: (id: number) => void;
  readonly onRetry: (upload: Upload) => void;
}

export function UploadList({ uploads, ...actions }: UploadListProps) {
  return (
    <>
      {uploads.length === 0 ? null : (
        <ul className="stack gap-3" aria-label="Filer som leses">
          {uploads.map((upload) => (
            <li key={upload.id}>
              <UploadItem upload={upload} {...actions} />
            </li>
          ))}
        </ul>
      )}
      {/* Always rendered: screen readers announce only changes to an existing live region. */}
      <div className="visually-hidden" aria-live="polite">
        {uploads.map((upload) => (
          <p key={upload.id}>{spoken(upload)}</p>
        ))}
      </div>
    </>
  );
}

/** The text for screen readers: one per step, not one per percent. */
function spoken({ file: { name }, course }: Upload): string {
  if (course.state === 'READ') return `${name} er lest: ${showTotal(course.read)}`;
  if (course.state === 'FAILED') return `${name} ble ikke lest. ${course.faults[0] ?? ''}`;
  if (course.state === 'WAITING') return '';
  return course.share < 1 ? `Sender ${name}` : `Leser ${name}`;
}

interface UploadItemProps extends Omit<UploadListProps, 'uploads'> {
  readonly upload: Upload;
}

function UploadItem({ upload, onRemove, onRetry }: UploadItemProps) {
  const { id, file, course } = upload;
  if (course.state === 'READ') {
    return (
      <Alert
        tone="success"
        title={file.name}
        action={<Link to={paths.bankFile(course.read.uuid)}>Åpne {file.name}</Link>}
      >
        {course.isNew ? showTotal(course.read) : 'Filen er lest før.'}
      </Alert>
    );
  }
  if (course.state !== 'FAILED') return <UnderWay upload={upload} onCancel={() => onRemove(id)} />;
  return (
    <Alert
      tone="error"
      title={`${file.name} ble ikke lest, og ingenting er bokført.`}
      action={
        <div className="row gap-1">
          <Button aria-label={`Prøv igjen med ${file.name}`} onClick={() => onRetry(upload)}>
            Prøv igjen
          </Button>
          <Button variant="quiet" aria-label={`Fjern ${file.name}`} onClick={() => onRemove(id)}>
            Fjern
          </Button>
        </div>
      }
    >
      <Faults faults={course.faults} />
    </Alert>
  );
}

function UnderWay({ upload, onCancel }: { upload: Upload; onCancel: () => void }) {
  const { file, course } = upload;
  const share = course.state === 'SENDING' ? course.share : 0;
  return (
    <ProgressBox
      label={`Framdrift for ${file.name}`}
      share={share < 1 ? share : undefined}
      action={
        <Button aria-label={`Avbryt ${file.name}`} onClick={onCancel}>
          Avbryt
        </Button>
      }
    >
      <p>
        <span className="strong">{file.name}</span> <span>{stepOf(course)}</span>
      </p>
    </ProgressBox>
  );
}

function stepOf(course: Upload['course']): string {
  if (course.state !== 'SENDING') return 'venter';
  return course.share < 1 ? `sendes, ${Math.floor(course.share * 100)} %` : 'leses …';
}

function Faults({ faults }: { faults: readonly string[] }) {
  const more = faults.length - FAULTS_SHOWN;
  return (
    <>
      <ul className="stack gap-1">
        {faults.slice(0, FAULTS_SHOWN).map((fault) => (
          <li key={fault}>
            {fault} <Explanation of={fault} />
          </li>
        ))}
      </ul>
      {more > 0 ? <p>… og {showCount(more)} feil til.</p> : null}
    </>
  );
}
