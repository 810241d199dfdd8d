import type { Profile } from '../../domain/profile/profile.schema.ts';
import type { Actor, Context } from '../context.ts';
import { hexOf, sha256 } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { LogoMaker } from './logo-image.ts';
import * as repository from './logo.repository.ts';
import { lockCompany } from './profile.repository.ts';
import { getProfile } from './profile.service.ts';

/** The name of a logo in documents: its SHA-256 in hex. */
type LogoName = string;

/** The logo that new documents get, with its ETag. */
export async function getLogo(
  { db }: Pick<Context, 'db'>,
  { companyId }: Actor,
): Promise<{ readonly content: Buffer; readonly etag: string } | null> {
  const logo = await repository.findCurrentLogo(db, companyId);
  if (!logo) return null;
  return { content: Buffer.from(logo.content), etag: `"${hexOf(logo.sha256)}"` };
}

/**
 * Makes a picture the logo that new documents get.
 * @throws AppError logo_unreadable, logo_too_many_pixels, unavailable
 */
export async function saveLogo(
  context: Context,
  maker: LogoMaker,
  actor: Actor,
  picture: Uint8Array,
): Promise<Profile> {
  const { companyId } = actor;
  const content = await maker.make(picture, companyId);
  await context.db.transaction().execute(async (trx) => {
    await lockCompany(trx, companyId);
    await repository.saveLogo(trx, companyId, { sha256: sha256(content), content });
  });
  return getProfile(context, actor);
}

/** New documents get no logo; those that were issued with one keep it. */
export async function deleteLogo({ db }: Context, { companyId }: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockCompany(trx, companyId);
    await repository.removeLogo(trx, companyId);
  });
}

/** The logo that a new document gets, which stays there until the transaction ends. */
export async function lockLogo(trx: Trx | Db, companyId: number): Promise<LogoName | null> {
  const hash = await repository.lockCurrentLogo(trx, companyId);
  return hash && hexOf(hash);
}

/** The bytes of the logo of this name, which a document has. */
export async function findLogo(
  db: Db,
  companyId: number,
  name: LogoName,
): Promise<Uint8Array | null> {
  return repository.findLogo(db, companyId, Buffer.from(name, 'hex'));
}

/** A company's logos whose bytes match their names. */
export async function findSoundLogos(db: Db, companyId: number): Promise<ReadonlySet<LogoName>> {
  return new Set(await repository.findSoundLogos(db, companyId));
}
