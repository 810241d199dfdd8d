import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { paths } from '../../../lib/paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { ShareIcon } from '../../../ui/icons.tsx';
import { showToast } from '../../../lib/toasts.ts';
import { nameOf } from '../invoice-labels.ts';
import { ApiError, ConnectionLost } from '../../../lib/api-error.ts';

/** Whether the device can share files with other apps, as phones can. */
export function canShareFiles(): boolean {
  if (!window.matchMedia('(pointer: coarse)').matches) return false;
  const file = new File([''], 'faktura.pdf', { type: 'application/pdf' });
  // Some browsers have neither function, although the DOM types declare both.
  return 'canShare' in navigator && navigator.canShare({ files: [file] });
}

/** Shares the PDF with another app on the phone: a message, a folder, a printer. */
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
    // The user cancelled.
    if (name === 'AbortError') return;
    // The browser shares only right after a press, and fetching the PDF took too long. The next press has the file.
    const title = name === 'NotAllowedError' ? 'PDF-en er klar' : 'PDF-en kunne ikke deles';
    const description = name === 'NotAllowedError' ? 'Trykk «Del PDF» en gang til.' : undefined;
    showToast({ tone: name === 'NotAllowedError' ? 'success' : 'error', title, description });
  }
}

/**
 * Fetches a file from the server with the session cookie.
 *
 * @throws ApiError when the status is not 2xx
 * @throws ConnectionLost when no response arrives, or only a part of it
 */
async function fetchFile(url: string, name: string): Promise<File> {
  const response = await fetch(url, { credentials: 'include' }).catch(throwLost);
  // The connection may also break while the body arrives.
  const bytes = await response.blob().catch(throwLost);
  const { ok, status, statusText } = response;
  if (!ok) throw new ApiError({ url, status, statusText, body: await bytes.text() });
  return new File([bytes], name, { type: bytes.type });
}

function throwLost(cause: unknown): never {
  throw new ConnectionLost(cause);
}
