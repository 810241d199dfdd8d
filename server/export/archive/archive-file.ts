import { constants } from 'node:fs';

import { openPromise, type Entry, type ZipFile } from 'yauzl';

import { errorCode } from '../../platform/log/outside-error.ts';
import { hashing, type ListedFile } from './hashing.ts';
import {
  ArchiveError,
  damagedArchive,
  MANIFEST_PATH,
  readManifest,
  type Manifest,
  type ManifestFile,
} from './manifest.ts';

/** Largest manifest, and largest file that is read at once (bytes). */
const MANIFEST_MAX = 512 * 1024 * 1024;
const FILE_MAX = 64 * 1024 * 1024;

/** A file of the archive that is to be read. */
interface ArchivedEntry extends ManifestFile {
  readonly entry: Entry;
}

/** An archive of which each file was found to be as the manifest says. */
export interface ArchiveFile {
  readonly about: Manifest;
  /** The paths of its files, but the manifest's. */
  readonly paths: readonly string[];
  /** The SHA-256 of a file, in hex. @throws ArchiveError when it is missing */
  hashOf(path: string): string;
  content(path: string): AsyncIterable<Uint8Array>;
  read(path: string): Promise<Uint8Array>;
}

/**
 * Opens an archive, and compares each of its files with the manifest: none is missing, none was added, and each has its
 * bytes (EXP-45). Nothing is unpacked to disk, and no file is read beyond the size that the manifest states.
 *
 * @throws ArchiveError
 */
export async function withArchive<T>(
  path: string,
  work: (archive: ArchiveFile) => Promise<T>,
): Promise<T> {
  const zip = await openZip(path);
  try {
    const entries = await readDirectory(zip);
    const { about, files } = readManifest(await readManifestText(zip, entries));
    const listed = requireListed(entries, files);
    const archive = readerOf(zip, about, listed);
    for (const file of listed.values()) await requireSound(zip, file);
    return await work(archive);
  } finally {
    zip.close();
  }
}

async function openZip(path: string): Promise<ZipFile> {
  try {
    // With names decoded, absolute paths, `..` and backslashes are refused.
    return await openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true });
  } catch (error) {
    if (/^E[A-Z]+$/.test(errorCode(error))) {
      throw new ArchiveError(`${path} cannot be read (${(error as Error).message}).`, {
        cause: error,
      });
    }
    throw new ArchiveError(
      `${path} is not a whole ZIP (${(error as Error).message}). Nothing was changed.`,
      { cause: error },
    );
  }
}

async function readDirectory(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.has(entry.fileName)) throw damagedArchive(`${entry.fileName} is there twice`);
      if (isLink(entry)) throw damagedArchive(`${entry.fileName} is a link`);
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    throw error instanceof ArchiveError ? error : damagedArchive((error as Error).message, error);
  }
  return entries;
}

/** The upper half of these attributes is the mode of Unix. */
function isLink({ externalFileAttributes: attributes }: Entry): boolean {
  return ((attributes >>> 16) & constants.S_IFMT) === constants.S_IFLNK;
}

async function readManifestText(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
): Promise<string> {
  const entry = entries.get(MANIFEST_PATH);
  if (!entry) throw new ArchiveError('This is not an archive of Faktur. Nothing was changed.');
  if (entry.uncompressedSize > MANIFEST_MAX) throw damagedArchive(`${MANIFEST_PATH} is too large`);
  return (await readWhole(streamOf(zip, entry))).toString();
}

/** The entries by path, which are those that the manifest lists. */
function requireListed(
  entries: ReadonlyMap<string, Entry>,
  files: readonly ManifestFile[],
): ReadonlyMap<string, ArchivedEntry> {
  const listed = new Map<string, ArchivedEntry>();
  for (const file of files) {
    const entry = entries.get(file.path);
    if (!entry || file.path === MANIFEST_PATH) throw damagedArchive(`${file.path} is missing`);
    if (entry.uncompressedSize !== file.bytes) {
      throw damagedArchive(`${file.path} has another size than when it was made`);
    }
    listed.set(file.path, { ...file, entry });
  }
  for (const path of entries.keys()) {
    if (path !== MANIFEST_PATH && !listed.has(path)) throw damagedArchive(`${path} was added`);
  }
  return listed;
}

async function requireSound(zip: ZipFile, { entry, ...file }: ArchivedEntry): Promise<void> {
  const found: ListedFile = { bytes: 0, sha256: '' };
  for await (const chunk of hashing(streamOf(zip, entry), found)) void chunk;
  if (found.bytes !== file.bytes || found.sha256 !== file.sha256) {
    throw damagedArchive(`${file.path} was changed: its SHA-256 differs`);
  }
}

function readerOf(
  zip: ZipFile,
  about: Manifest,
  listed: ReadonlyMap<string, ArchivedEntry>,
): ArchiveFile {
  const require = (path: string): ArchivedEntry => {
    const file = listed.get(path);
    if (!file) throw damagedArchive(`${path} is missing`);
    return file;
  };
  return {
    about,
    paths: [...listed.keys()],
    hashOf: (path) => require(path).sha256,
    content: (path) => streamOf(zip, require(path).entry),
    async read(path) {
      const { entry, bytes } = require(path);
      if (bytes > FILE_MAX) throw damagedArchive(`${path} is too large`);
      return readWhole(streamOf(zip, entry));
    },
  };
}

async function* streamOf(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) yield chunk as Buffer;
  } catch (error) {
    throw damagedArchive(`${entry.fileName}: ${(error as Error).message}`, error);
  }
}

async function readWhole(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(content));
}
