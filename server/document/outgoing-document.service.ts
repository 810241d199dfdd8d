import { batchWhileBusy } from '../batching.ts';
import type { Context } from '../context.ts';
import { findDocuments } from './document.service.ts';
import { findKept, keepFiles, type KeptFiles } from './document-file.repository.ts';
import { isWhole, makeFiles, type DocumentWithFiles } from './document-file.service.ts';

/** The invoice or credit note whose document goes out. */
interface Outgoing {
  readonly companyId: number;
  readonly invoiceId: number;
}

/** Documents that are read by one statement. */
const READ_BATCH = 50;
/** Documents whose bytes are kept by one statement; they are a hundred kilobytes each. */
const KEEP_BATCH = 8;

type Loaded = DocumentWithFiles | null;

/**
 * Prepares what goes out, many at a time: the document with its bytes, which are those of an earlier
 * try, or new ones, which are kept before they go out.
 */
export function createOutgoingDocuments(
  context: Context,
): (outgoing: Outgoing) => Promise<DocumentWithFiles> {
  const load = batchWhileBusy<Outgoing, Loaded>(READ_BATCH, async (wanted) =>
    loadDocuments(context, wanted),
  );
  const keep = batchWhileBusy<KeptFiles, boolean>(KEEP_BATCH, async (documents) =>
    keepFiles(context.db, documents),
  );
  return async (outgoing) => {
    const { companyId, invoiceId } = outgoing;
    const loaded = await load(outgoing);
    if (!loaded) throw new Error(`There is no invoice ${invoiceId} to be sent`);
    if (isWhole(loaded.files)) return loaded;
    await context.rightOfWay.clear();
    const files = await makeFiles(loaded, async (input) => context.pdf.render(input));
    const isKept = await keep({ companyId, invoiceId, files });
    // Somebody was quicker; what they kept is what is sent.
    return isKept
      ? { document: loaded.document, files }
      : { ...loaded, files: await findKept(context.db, companyId, [invoiceId]) };
  };
}

async function loadDocuments(context: Context, wanted: readonly Outgoing[]): Promise<Loaded[]> {
  const found = new Map<number, Loaded>();
  for (const [companyId, ofCompany] of Map.groupBy(wanted, (outgoing) => outgoing.companyId)) {
    const ids = ofCompany.map(({ invoiceId }) => invoiceId);
    const documents = await findDocuments(context.db, companyId, ids);
    const files = await findKept(context.db, companyId, ids);
    const filesOf = Map.groupBy(files, (file) => file.invoiceId);
    for (const { row, document } of documents) {
      found.set(row.id, { document, files: filesOf.get(row.id) ?? [] });
    }
  }
  return wanted.map(({ invoiceId }) => found.get(invoiceId) ?? null);
}
