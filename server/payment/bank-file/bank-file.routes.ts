import type { FastifyInstance } from 'fastify';

import {
  bookBankFile,
  deleteBankFile,
  getBankFile,
  listBankEntries,
  listBankFiles,
  listOpenAccounts,
  undoBankFile,
  uploadBankFile,
} from '../../../domain/bank-file/bank-file.endpoints.ts';
import type { Context } from '../../context.ts';
import { route, untilGone } from '../../platform/http/route.ts';
import { uploadOf } from '../../platform/http/bodies.ts';
import {
  getFile,
  listEntries,
  listFiles,
  listOpenAccounts as listAccounts,
  presentFile,
} from './bank-file-list.service.ts';
import { bookFile, undoFile } from './booking.service.ts';
import type { BankFileReader } from './read/read-entry.ts';
import { forgetFile, previewFile } from './preview.service.ts';

/** Routes of bank files. */
export function bankFileRoutes(
  app: FastifyInstance,
  context: Context,
  reader: BankFileReader,
): void {
  const { db } = context;
  app.addHook('onClose', async () => reader.close());
  route(app, uploadBankFile, async ({ actor, query: { name, entries } }, call) => {
    const { file, isOld } = await previewFile(context, reader, actor, {
      name,
      bytes: uploadOf(call.request),
      signal: untilGone(call.reply),
    });
    return presentFile(db, actor.companyId, file, { entries, isOld });
  });
  route(app, listBankFiles, async ({ actor }) => listFiles(context, actor));
  route(app, listOpenAccounts, async ({ actor }) => listAccounts(context, actor));
  route(app, getBankFile, async ({ actor, params, query }) =>
    getFile(context, actor, params.fileUuid, query),
  );
  route(app, listBankEntries, async ({ actor, params, query }) =>
    listEntries(context, actor, params.fileUuid, query),
  );
  route(app, deleteBankFile, async ({ actor, params }) => {
    await forgetFile(context, actor, params.fileUuid);
    return undefined;
  });
  route(app, bookBankFile, async ({ actor, params, query }) => {
    const file = await bookFile(context, actor, params.fileUuid);
    return presentFile(db, actor.companyId, file, query);
  });
  route(app, undoBankFile, async ({ actor, params, query }) => {
    const file = await undoFile(context, actor, params.fileUuid);
    return presentFile(db, actor.companyId, file, query);
  });
}
