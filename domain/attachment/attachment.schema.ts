import { z } from 'zod/mini';

import { described } from '../api/described.ts';

const MB = 1024 * 1024;

/** Limits of an invoice's attachments (features.md § 15). Sizes are in bytes. */
export const ATTACHMENT_LIMITS = { files: 10, bytesOfFile: 5 * MB, bytesOfAll: 9 * MB } as const;

/** The types that EHF allows (BR-CL-24), by the ending of a file's name. */
export const ATTACHMENT_TYPES = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
} as const;

export type AttachmentEnding = keyof typeof ATTACHMENT_TYPES;

const OTHER_ENDINGS: Readonly<Record<string, AttachmentEnding>> = { jpeg: 'jpg', jfif: 'jpg' };

/** The ending of `ATTACHMENT_TYPES` that a file's name stands for; undefined for a name without one of them. */
export function endingOf(name: string): AttachmentEnding | undefined {
  const [, ending = ''] = /\.([a-z]+)\s*$/.exec(name.toLowerCase()) ?? [];
  return Object.hasOwn(ATTACHMENT_TYPES, ending)
    ? (ending as AttachmentEnding)
    : OTHER_ENDINGS[ending];
}

/** Why a file of so many bytes has no room beside the others of its document. */
export function findNoRoom(
  size: number,
  others: readonly { readonly size: number }[],
): 'attachment_too_large' | 'too_many_attachments' | 'attachments_too_large' | undefined {
  const { files, bytesOfFile, bytesOfAll } = ATTACHMENT_LIMITS;
  if (size > bytesOfFile) return 'attachment_too_large';
  if (others.length >= files) return 'too_many_attachments';
  return sizeOf(others) + size > bytesOfAll ? 'attachments_too_large' : undefined;
}

/** The bytes of all files of a document. */
export function sizeOf(files: readonly { readonly size: number }[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

export const attachment = described(
  z.object({
    uuid: z.uuid(),
    name: z.string(),
    mediaType: z.enum(Object.values(ATTACHMENT_TYPES)),
    size: described(z.int(), 'Bytes'),
    sha256: described(z.string(), 'SHA-256 of the bytes, in hex'),
    createdAt: z.iso.datetime(),
  }),
  { id: 'Attachment' },
);

/** A file that is sent along with an invoice. */
export type Attachment = z.infer<typeof attachment>;
