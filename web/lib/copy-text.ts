import { showSuccess, showToast } from './toasts.ts';

/** Copies a text and says so. Browsers refuse it without HTTPS, or when the user has forbidden it. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showSuccess(done);
  } catch {
    showToast({
      tone: 'error',
      title: 'Teksten kunne ikke kopieres',
      description: 'Merk den og kopier den selv.',
    });
  }
}
