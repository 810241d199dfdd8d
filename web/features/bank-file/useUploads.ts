import { useEffect, useRef, useState } from 'react';

import { BANK_FILE_BYTES_MAX, type BankFile } from '../../../domain/bank-file/bank-file.schema.ts';
import { RequestAborted } from '../../lib/api-error.ts';
import { useReadBankFile } from './bank-file.api.ts';

export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly course:
    | { readonly state: 'WAITING' }
    /** The share sent, from 0 to 1. The server reads the file during and after the transfer. */
    | { readonly state: 'SENDING'; readonly share: number }
    | { readonly state: 'READ'; readonly read: BankFile; readonly isNew: boolean }
    | { readonly state: 'FAILED'; readonly error: Error };
}

export class FileTooLarge extends Error {}

/**
 * Uploads files one at a time, in the order given. Leaving the screen aborts the rest.
 *
 * @param onAlone called when a file that was given alone has been read
 */
export function useUploads(onAlone: (read: BankFile, isNew: boolean) => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const { mutateAsync } = useReadBankFile();
  const queue = useRef(Promise.resolve());
  const sendings = useSendings();
  const setCourse = (id: number, course: Upload['course']) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, course } : upload)));

  const read = async ({ id, file }: Upload, isAlone: boolean) => {
    const signal = sendings.signalOf(id);
    if (!signal) return;
    try {
      if (file.size > BANK_FILE_BYTES_MAX) throw new FileTooLarge();
      const onProgress = (share: number) => setCourse(id, { state: 'SENDING', share });
      onProgress(0);
      const { answer, isNew } = await mutateAsync({ file, signal, onProgress });
      setCourse(id, { state: 'READ', read: answer, isNew });
      if (isAlone) onAlone(answer, isNew);
    } catch (error) {
      if (!(error instanceof RequestAborted)) {
        setCourse(id, { state: 'FAILED', error: error as Error });
      }
    } finally {
      sendings.end(id);
    }
  };
  const add = (files: readonly File[]) => {
    const isAlone = files.length === 1 && sendings.isEmpty();
    const added = files.map((file): Upload => ({
      id: sendings.begin(),
      file,
      course: { state: 'WAITING' },
    }));
    setUploads((all) => [...all, ...added]);
    for (const upload of added) {
      queue.current = queue.current.then(async () => read(upload, isAlone));
    }
  };
  const remove = (id: number) => {
    sendings.end(id);
    setUploads((all) => all.filter((upload) => upload.id !== id));
  };
  const retry = ({ id, file }: Upload) => {
    remove(id);
    add([file]);
  };
  return { uploads, add, remove, retry };
}

/** Uploads in progress or in the queue. They are aborted when the component unmounts. */
function useSendings() {
  const sendings = useRef(new Map<number, AbortController>());
  const lastId = useRef(0);
  useEffect(() => {
    const { current } = sendings;
    return () => {
      for (const sending of current.values()) sending.abort();
      current.clear();
    };
  }, []);
  return {
    begin: (): number => {
      lastId.current += 1;
      sendings.current.set(lastId.current, new AbortController());
      return lastId.current;
    },
    /** Undefined after the upload was aborted. */
    signalOf: (id: number) => sendings.current.get(id)?.signal,
    /** Removes an upload, and aborts it if it is not finished. */
    end: (id: number) => {
      sendings.current.get(id)?.abort();
      sendings.current.delete(id);
    },
    isEmpty: () => sendings.current.size === 0,
  };
}
