import { NO_OBJECT_STORE, ObjectStoreAway, type ObjectStore } from './object-store.ts';
import type { S3Settings } from './s3-address.ts';

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
