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
