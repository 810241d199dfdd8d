import type { SharedLinks } from '../account/member.service.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { sha256 } from '../platform/crypto.ts';
import { openFileOf } from './export-making.service.ts';
import { endLinks, findByToken, findOpenLinks, keepLinks } from './export-link.repository.ts';
import type { ExportRow } from './export.repository.ts';

/**
 * The export of a link, with its bytes when they are wanted. Every token is looked up by its hash, so that the time
 * tells nothing about it.
 * @throws AppError not_found for a link that is wrong, ended or revoked
 */
export async function openShared(
  context: Context,
  token: string,
  wantsBytes: boolean,
): Promise<{ readonly row: ExportRow; readonly chunks: AsyncIterable<Uint8Array> | null }> {
  const row = await findByToken(context.db, sha256(token));
  if (!row) throw new AppError('not_found');
  return wantsBytes ? openFileOf(context, row) : { row, chunks: null };
}

/** The links of exports, for the members who shared them. */
export const exportLinks: SharedLinks = {
  findOpen: findOpenLinks,
  end: endLinks,
  keep: keepLinks,
};
