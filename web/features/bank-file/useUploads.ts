import { useEffect, useRef, useState } from 'react';

import { BANK_FILE_BYTES_MAX, type BankFile } from '../../../domain/bank-file/bank-file.schema.ts';
import { RequestAborted } from '../../lib/api-error.ts';
import { useReadBankFile } from './bank-file.mutations.ts';

/** A file that a person gave us, and how far it has come. */
export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly course:
    | { readonly state: 'WAITING' }
    /** How much has been sent, from 0 to 1. The server reads it meanwhile, and after. */
    | { readonly state: 'SENDING'; readonly share: number }
    | { readonly state: 'READ'; readonly read: BankFile; readonly isNew: boolean }
    | { readonly state: 'FAILED'; readonly error: Error };
}

/** Why we do not even send a file. */
export class FileTooLarge extends Error {}

/**
 * Reads files one after the other, in the order in which they were given. Nothing is sent any more when the
 * screen is left.
 *
 * @param onAlone called with a file that was given alone, when it has been read
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

/** What is being sent or waits for it, and is given up when the screen is left. */
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
    /** Undefined for what was given up. */
    signalOf: (id: number) => sendings.current.get(id)?.signal,
    /** Gives up what is not yet done. */
    end: (id: number) => {
      sendings.current.get(id)?.abort();
      sendings.current.delete(id);
    },
    isEmpty: () => sendings.current.size === 0,
  };
}
