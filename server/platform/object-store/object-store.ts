import { OutsideError } from '../log/outside-error.ts';

/** Stores bytes outside the database, each under its own key. */
export interface ObjectStore {
  /** Whether new objects are stored here; existing ones are read in any case. */
  readonly takesNew: boolean;
  /** Stores bytes. Storing a key again must use the same bytes. @throws ObjectStoreAway */
  put(key: string, content: Uint8Array): Promise<void>;
  /** The bytes, or null when the key does not exist. @throws ObjectStoreAway */
  get(key: string): Promise<Uint8Array | null>;
  close(): void;
}

/** The object store is unavailable or denies access. */
export class ObjectStoreAway extends OutsideError {
  override readonly name = 'ObjectStoreAway';
}

/** Used when no store is configured and everything is in the database. */
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
