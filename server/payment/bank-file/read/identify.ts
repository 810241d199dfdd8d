import type { KeptEntry } from './findings.ts';
import { camtKey, contentKey, fingerprintOf, ocrKey } from './identity.ts';
import type { ReadEntry } from './read-entry.ts';

/** Adds to an entry the digests that identify its money (BANK-16). */
export function identify({ counted, ...entry }: KeptEntry): ReadEntry {
  const fingerprint = fingerprintOf(entry);
  const key =
    counted.by === 'OCR' ? ocrKey({ ...entry, ...counted }) : camtKey({ ...entry, ...counted });
  return {
    ...entry,
    key: key ?? contentKey(fingerprint, entry.date, entry.occurrence),
    isKeyByReference: key !== null,
    fingerprint,
  };
}
