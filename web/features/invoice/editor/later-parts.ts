import { laterCode } from '../../../lib/later-code.ts';

/** Parts of an invoice's form that its first screen does not need. */
export const laterParts = laterCode(async () => {
  const [
    { PreviewButton },
    { IssueDateHelp, hintsOf },
    { EhfHelp },
    { MissingEmails },
    { NewInvoicesQuestion },
    { MissingBuyer },
    { NewAttachments, attachAll },
  ] = await Promise.all([
    import('./PreviewButton.tsx'),
    import('./IssueDateHelp.tsx'),
    import('./EhfHelp.tsx'),
    import('./MissingEmails.tsx'),
    import('./NewInvoicesQuestion.tsx'),
    import('../../customer/MissingBuyer.tsx'),
    import('../../attachment/AttachmentCard.tsx'),
  ]);
  return {
    PreviewButton,
    IssueDateHelp,
    hintsOf,
    EhfHelp,
    MissingEmails,
    NewInvoicesQuestion,
    MissingBuyer,
    NewAttachments,
    attachAll,
  };
});
