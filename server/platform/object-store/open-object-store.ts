import { ObjectStoreAway, type ObjectStore, type S3Settings } from './object-store.ts';

/** Used when no store is configured and everything is in the database. */
const NO_OBJECT_STORE: ObjectStore = {
  takesNew: false,
  put: async () => Promise.reject(notSet()),
  get: async () => Promise.reject(notSet()),
  delete: async () => Promise.reject(notSet()),
  close: () => undefined,
};

function notSet(): ObjectStoreAway {
  return new ObjectStoreAway('The document is in S3, and DOCUMENT_STORE is not set', {
    advice: 'set DOCUMENT_STORE as it was when documents were put there',
    isUrgent: true,
  });
}

/** An object in every bucket that we use, so that its existence can be checked. */
const MARK = 'README.txt';
const MARK_TEXT = 'Documents of Faktur, as they were first made: <company>/<SHA-256>\n';

/** Opens the configured store. Its client is loaded at the first call: it takes memory and time. */
export function openObjectStore(settings: S3Settings | null): ObjectStore {
  if (settings === null) return NO_OBJECT_STORE;
  let opened: Promise<ObjectStore> | undefined;
  const open = async () => {
    opened ??= import('./s3.ts').then(({ openS3 }) => openS3(settings));
    return opened;
  };
  return {
    takesNew: settings.takesNew,
    put: async (key, content) => (await open()).put(key, content),
    get: async (key) => (await open()).get(key),
    delete: async (key) => (await open()).delete(key),
    close: () => void opened?.then((store) => store.close()),
  };
}

/**
 * Checks that the store writes and reads, with a small text that stays there.
 * @throws ObjectStoreAway
 */
export async function tryObjectStore(store: ObjectStore): Promise<void> {
  if ((await readMark(store)) !== null) return;
  await store.put(MARK, Buffer.from(MARK_TEXT));
  if ((await store.get(MARK)) === null) {
    throw new ObjectStoreAway('What was put there is not there', {
      advice: 'look whether DOCUMENT_STORE names the right bucket',
      isUrgent: true,
    });
  }
}

/** S3 answers 403 for a missing object to a caller who may not list the bucket. */
async function readMark(store: ObjectStore): Promise<Uint8Array | null> {
  try {
    return await store.get(MARK);
  } catch (error) {
    if (error instanceof ObjectStoreAway && error.isUrgent) return null;
    throw error;
  }
}
