import { useMutation } from '@tanstack/react-query';
import { useFormContext } from 'react-hook-form';

import { toWireText } from '../../../../domain/api/case.ts';
import { previewInvoice } from '../../../../domain/invoice/invoice.endpoints.ts';
import type { InvoiceForm } from '../../../../domain/invoice/invoice.schema.ts';
import { ConnectionLost } from '../../../lib/api-error.ts';
import { headers, read, urlOf } from '../../../lib/client.ts';
import { Button } from '../../../ui/Button.tsx';
import { FileIcon } from '../../../ui/icons.tsx';
import type { InvoiceDraft } from '../../editor/draft-values.ts';

/** A tab that shows the PDF may read it so long (milliseconds). */
const READ_FOR = 60_000;

/** Shows the PDF of what is typed in a tab of its own, and saves nothing (INV-45). Needs the form's provider. */
export function PreviewButton({ disabled }: { readonly disabled: boolean }) {
  const form = useFormContext<InvoiceDraft, unknown, InvoiceForm>();
  const preview = useMutation({
    mutationFn: async ({ values, tab }: { values: InvoiceForm; tab: Window | null }) => {
      const url = URL.createObjectURL(await draw(values));
      setTimeout(() => URL.revokeObjectURL(url), READ_FOR);
      // The browser may have refused the tab, or the user closed it.
      if (tab && !tab.closed) tab.location.replace(url);
      else location.assign(url);
    },
    onError: (_, { tab }) => tab?.close(),
  });
  // Opened before the answer: afterwards browsers take it for an advertisement.
  const show = form.handleSubmit((values) => preview.mutate({ values, tab: open('', '_blank') }));
  return (
    <Button
      variant="quiet"
      icon={<FileIcon />}
      disabled={disabled}
      pending={preview.isPending}
      onClick={() => void show()}
    >
      Forhåndsvis
    </Button>
  );
}

async function draw(values: InvoiceForm): Promise<Blob> {
  const response = await fetch(urlOf(previewInvoice, {}), {
    method: 'POST',
    credentials: 'include',
    headers: { ...headers(), 'content-type': 'application/json' },
    body: toWireText(values),
  }).catch((error: unknown) => {
    throw new ConnectionLost(error);
  });
  if (!response.ok) {
    const { url, status, statusText } = response;
    read({ url, status, statusText, text: await response.text() });
  }
  return response.blob();
}
