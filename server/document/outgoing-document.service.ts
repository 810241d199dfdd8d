import { batchWhileBusy } from '../batching.ts';
import type { Context } from '../context.ts';
import { findIssued, type IssuedDocument } from './document.service.ts';
import { findKept, keepFiles, type FilesOfDocument } from './document-file.repository.ts';
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

type Loaded = (IssuedDocument & DocumentWithFiles) | null;

/**
 * Prepares what goes out, many at a time: the document with its bytes, which are those of an earlier
 * try, or new ones, which are kept before they go out.
 */
export function createOutgoingDocuments(
  context: Context,
): (outgoing: Outgoing) => Promise<IssuedDocument & DocumentWithFiles> {
  const load = batchWhileBusy<Outgoing, Loaded>(READ_BATCH, async (wanted) =>
    loadDocuments(context, wanted),
  );
  const keep = batchWhileBusy<FilesOfDocument, boolean>(KEEP_BATCH, async (documents) =>
    keepFiles(context.db, documents),
  );
  return async (outgoing) => {
    const loaded = await load(outgoing);
    if (!loaded) throw new Error(`Invoice ${outgoing.invoiceId} has no document to be sent`);
    if (isWhole(loaded.files)) return loaded;
    await context.openRequests.untilNone();
    const files = await makeFiles(loaded, async (input) => context.pdf.render(input));
    const { companyId, id: documentId } = loaded;
    const isKept = await keep({ companyId, documentId, files });
    // Somebody was quicker; what they kept is what is sent.
    return {
      ...loaded,
      files: isKept ? files : await findKept(context.db, companyId, [documentId]),
    };
  };
}

async function loadDocuments(context: Context, wanted: readonly Outgoing[]): Promise<Loaded[]> {
  const found = new Map<number, Loaded>();
  for (const [companyId, ofCompany] of Map.groupBy(wanted, (outgoing) => outgoing.companyId)) {
    const invoiceIds = ofCompany.map(({ invoiceId }) => invoiceId);
    const issued = await findIssued(context.db, companyId, invoiceIds);
    const documentIds = issued.map(({ id }) => id);
    const files = await findKept(context.db, companyId, documentIds);
    const filesOf = Map.groupBy(files, (file) => file.documentId);
    for (const document of issued) {
      found.set(document.invoiceId, { ...document, files: filesOf.get(document.id) ?? [] });
    }
  }
  return wanted.map(({ invoiceId }) => found.get(invoiceId) ?? null);
}
