import { OutsideError } from '../log/outside-error.ts';

/** Stores bytes outside the database, each under its own key. */
export interface ObjectStore {
  /** Whether new objects are stored here; existing ones are read in any case. */
  readonly takesNew: boolean;
  /** Stores bytes. Storing a key again must use the same bytes. @throws ObjectStoreAway */
  put(key: string, content: Uint8Array): Promise<void>;
  /** The bytes, or null when the key does not exist. @throws ObjectStoreAway */
  get(key: string): Promise<Uint8Array | null>;
  /** Removes a key; one that does not exist is no error. @throws ObjectStoreAway */
  delete(key: string): Promise<void>;
  close(): void;
}

/** The object store is unavailable or denies access. */
export class ObjectStoreAway extends OutsideError {
  override readonly name = 'ObjectStoreAway';
}

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

/** The content of DOCUMENT_STORE. */
export interface S3Address {
  readonly bucket: string;
  /** Null for Amazon S3. */
  readonly endpoint: string | null;
  readonly region: string;
  /** Whether new documents are stored there. */
  readonly takesNew: boolean;
}

/** A bucket and its credentials. */
export interface S3Settings extends S3Address {
  /** Null uses the machine's role, as provided by Amazon. */
  readonly credentials: S3Credentials | null;
}

interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** The region that servers other than Amazon's expect. */
const USUAL_REGION = 'us-east-1';
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION = /^[a-zA-Z0-9-]{1,40}$/;
const PARAMETERS = new Set(['endpoint', 'region', 'new']);

/** Parses `s3://bucket?endpoint=…&region=…&new=…`; null when it is not such an address. */
export function readS3Address(text: string): S3Address | null {
  const url = URL.parse(text);
  if (!url || url.protocol !== 's3:' || !BUCKET.test(url.host)) return null;
  if (url.username + url.password + url.pathname.replace('/', '') + url.hash !== '') return null;
  const names = [...url.searchParams.keys()];
  if (new Set(names).size < names.length || !names.every((name) => PARAMETERS.has(name)))
    return null;
  const endpoint = url.searchParams.get('endpoint');
  const region = url.searchParams.get('region') ?? (endpoint === null ? '' : USUAL_REGION);
  const takesNew = url.searchParams.get('new') ?? 'yes';
  if (endpoint !== null && !isOrigin(endpoint)) return null;
  if (!REGION.test(region) || !['yes', 'no'].includes(takesNew)) return null;
  return { bucket: url.host, endpoint, region, takesNew: takesNew === 'yes' };
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    ['http:', 'https:'].includes(url.protocol) &&
    url.username + url.password + url.search + url.hash === ''
  );
}
