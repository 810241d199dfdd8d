import { OutsideError } from '../outside-error.ts';

/** Where bytes are kept outside of the database, each under a key of its own. */
export interface ObjectStore {
  /** Whether it takes what is made from now on; what is there already is read in any case. */
  readonly takesNew: boolean;
  /** Keeps bytes. Once more under the same key is the same bytes once more. @throws ObjectStoreAway */
  put(key: string, content: Uint8Array): Promise<void>;
  /** The bytes, or null where there are none. @throws ObjectStoreAway */
  get(key: string): Promise<Uint8Array | null>;
  close(): void;
}

/** The store did not do what it was asked: it does not answer, or does not let us. */
export class ObjectStoreAway extends OutsideError {
  override readonly name = 'ObjectStoreAway';
}

/** The store where none is set, as when there is only the database. */
export const NO_OBJECT_STORE: ObjectStore = {
  takesNew: false,
  put: async () => Promise.reject(notSet()),
  get: async () => Promise.reject(notSet()),
  close: () => undefined,
};

function notSet(): ObjectStoreAway {
  return new ObjectStoreAway('The document is in S3, and DOCUMENT_STORE is not set', {
    advice: 'set DOCUMENT_STORE as it was when documents were put there',
    isUrgent: true,
  });
}
