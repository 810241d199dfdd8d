import { z } from 'zod';

/** The version of the archive's form. A newer one has a higher number. */
export const ARCHIVE_FORMAT = 1;
export const PRODUCT = 'Faktur';
export const MANIFEST_PATH = 'manifest.json';

/** The description of an archive (EXP-44). Amounts are øre. */
export interface Manifest {
  readonly format: number;
  readonly product: { readonly name: string; readonly version: string };
  /** The newest migration of the tables. */
  readonly schema: string;
  readonly company: {
    readonly email: string;
    readonly name: string | null;
    readonly orgNumber: string | null;
  };
  readonly madeAt: string;
  /** Rows by table. */
  readonly counts: Readonly<Record<string, number>>;
  /** Registered invoices less credit notes; `paid` adds up all payments. */
  readonly sums: Readonly<Record<'net' | 'vat' | 'gross' | 'paid', number>>;
  readonly numbers: { readonly first: number | null; readonly last: number | null };
  /** In hex: the end of the chain of documents. */
  readonly lastHash: string | null;
}

const whole = z.number().int();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const listedFile = z.object({ path: z.string(), bytes: whole.min(0), sha256 });
/** A file as the manifest lists it. */
export type ManifestFile = z.output<typeof listedFile>;

const wire = z
  .object({
    format: whole,
    product: z.object({ name: z.string(), version: z.string() }),
    schema: z.string(),
    company: z.object({
      email: z.string(),
      name: z.string().nullable(),
      org_number: z.string().nullable(),
    }),
    made_at: z.string(),
    counts: z.record(z.string(), whole),
    sums: z.object({ net: whole, vat: whole, gross: whole, paid: whole }),
    numbers: z.object({ first: whole.nullable(), last: whole.nullable() }),
    last_hash: sha256.nullable(),
    files: z.array(listedFile),
  })
  .transform(({ files, made_at: madeAt, last_hash: lastHash, company, ...rest }) => {
    const { org_number: orgNumber, ...named } = company;
    const about: Manifest = { ...rest, madeAt, lastHash, company: { ...named, orgNumber } };
    return { about, files };
  });

/** The part of a manifest that every format has. */
const mark = z.object({ format: z.number(), product: z.object({ name: z.string() }) });

/** The manifest's text up to its files. */
export function writeManifestHead({ madeAt, lastHash, company, ...rest }: Manifest): string {
  const { orgNumber, ...named } = company;
  const head = {
    ...rest,
    company: { ...named, org_number: orgNumber },
    made_at: madeAt,
    last_hash: lastHash,
  };
  return JSON.stringify(head, null, 2).slice(0, -'\n}'.length);
}

/** An archive cannot be restored. The message is for the operator. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

/** @throws ArchiveError for that of another product or of a newer version */
export function readManifest(text: string): z.output<typeof wire> {
  const content = tryParse(text);
  const known = mark.safeParse(content).data;
  if (known?.product.name !== PRODUCT) {
    throw new ArchiveError('This is not an archive of Faktur. Nothing was changed.');
  }
  if (known.format > ARCHIVE_FORMAT) throw newerArchive(`format ${known.format}`);
  const read = wire.safeParse(content);
  if (!read.success) throw damagedArchive(`${MANIFEST_PATH} is not complete`);
  return read.data;
}

export function newerArchive(what: string): ArchiveError {
  return new ArchiveError(
    `The archive was made by a newer version of Faktur (${what}). Nothing was changed; start that version here first.`,
  );
}

export function damagedArchive(what: string, cause?: unknown): ArchiveError {
  return new ArchiveError(
    `The archive is not as it was made (${what}). Nothing was changed; make another one.`,
    { cause },
  );
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
