export interface Toast {
  readonly id: number;
  readonly tone: 'success' | 'error';
  readonly title: string;
  readonly description?: string | undefined;
}

const SUCCESS_MS = 5_000;
/** Errors stay longer: there is more to read. */
const ERROR_MS = 12_000;
const SHOWN_AT_ONCE = 4;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function publish(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a message above everything else for a while. May be called from outside React. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  lastId += 1;
  const id = lastId;
  publish([...toasts, { ...toast, id }].slice(-SHOWN_AT_ONCE));
  setTimeout(() => dismissToast(id), toast.tone === 'error' ? ERROR_MS : SUCCESS_MS);
}

/** A green message that something has been done. */
export function showSuccess(title: string): void {
  showToast({ tone: 'success', title });
}

export function dismissToast(id: number): void {
  publish(toasts.filter((toast) => toast.id !== id));
}

/** For useSyncExternalStore. */
export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: () => toasts,
};
