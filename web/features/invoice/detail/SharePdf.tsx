import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { fetchFile } from '../../../lib/fetch-file.ts';
import { paths } from '../../../lib/paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { fromPath } from '../../../ui/icons.tsx';
import { showToast } from '../../../lib/toasts.ts';
import { nameOf } from '../invoice-name.ts';

const ShareIcon = /* @__PURE__ */ fromPath('M12 15V4M8 7.5 12 3.5l4 4M7 11H5v9h14v-9h-2');

/** Whether the device hands files to other apps, as phones do. */
export function canShareFiles(): boolean {
  if (!window.matchMedia('(pointer: coarse)').matches) return false;
  const file = new File([''], 'faktura.pdf', { type: 'application/pdf' });
  // Some browsers have neither, whatever the types say.
  return 'canShare' in navigator && navigator.canShare({ files: [file] });
}

/** Hands the PDF to another app of the phone: a message, a folder, a printer. */
export function SharePdf({ invoice }: { invoice: Invoice }) {
  const fetched = useRef<File>(undefined);
  const share = useMutation({
    mutationFn: async () => {
      const file = (fetched.current ??= await fetchFile(
        paths.invoicePdf(invoice.uuid),
        `${nameOf(invoice).replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.pdf`,
      ));
      await handOver(file);
    },
  });
  return (
    <Button icon={<ShareIcon />} pending={share.isPending} onClick={() => share.mutate()}>
      Del PDF
    </Button>
  );
}

async function handOver(file: File): Promise<void> {
  try {
    await navigator.share({ files: [file], title: file.name });
  } catch (error) {
    const name = error instanceof DOMException ? error.name : '';
    // Somebody has thought better of it.
    if (name === 'AbortError') return;
    // A browser shares only at once after a press, and the PDF took its time. Now it is there.
    const title = name === 'NotAllowedError' ? 'PDF-en er klar' : 'PDF-en kunne ikke deles';
    const description = name === 'NotAllowedError' ? 'Trykk «Del PDF» en gang til.' : undefined;
    showToast({ tone: name === 'NotAllowedError' ? 'success' : 'error', title, description });
  }
}
