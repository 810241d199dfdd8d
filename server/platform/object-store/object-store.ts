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
