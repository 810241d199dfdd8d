import type { Profile } from '../../domain/profile/profile.schema.ts';
import type { Actor, Context } from '../context.ts';
import { hexOf, sha256 } from '../platform/crypto.ts';
import type { PictureMaker } from '../platform/pictures/picture-maker.ts';
import * as repository from './logo.repository.ts';
import { lockCompany } from './profile.repository.ts';
import { getProfile } from './profile.service.ts';

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
  maker: PictureMaker,
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

/** Removes the logo of new documents; issued documents keep theirs. */
export async function deleteLogo({ db }: Context, { companyId }: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockCompany(trx, companyId);
    await repository.removeLogo(trx, companyId);
  });
}
