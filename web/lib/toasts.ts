import { createListeners } from './listeners.ts';

interface Message {
  readonly tone: 'success' | 'error';
  readonly title: string;
  readonly description?: string | undefined;
  /** Messages of the API contract, shown with a Norwegian explanation when they are English. */
  readonly refusal?: readonly string[] | undefined;
  /** Whether the toast stays when the change leads to another screen. */
  readonly follows?: boolean | undefined;
  readonly onUndo?: (() => void) | undefined;
}

export interface Toast extends Message {
  readonly id: number;
  /** The path of the address bar, which names the next screen already while its code is awaited. */
  readonly path: string;
}

const SUCCESS_MS = 5_000;
/** Errors are shown longer because they have more text; toasts with undo because the user has to decide. */
const LONG_MS = 12_000;
const SHOWN_AT_ONCE = 2;

let toasts: readonly Toast[] = [];
let lastId = 0;
let held = false;
const following = new Set<number>();
const timers = new Map<number, ReturnType<typeof setTimeout>>();
const { listen, notify } = createListeners();

function publish(next: readonly Toast[]): void {
  toasts = next;
  if (toasts.length === 0) held = false;
  for (const [id, timer] of timers) {
    if (toasts.some((toast) => toast.id === id)) continue;
    clearTimeout(timer);
    timers.delete(id);
    following.delete(id);
  }
  notify();
}

function startTimer({ id, tone, onUndo }: Toast): void {
  const isLong = tone === 'error' || onUndo;
  const timer = setTimeout(() => dismissToast(id), isLong ? LONG_MS : SUCCESS_MS);
  timers.set(id, timer);
}

/** Shows a toast. May be called from outside React. */
export function showToast(message: Message): void {
  lastId += 1;
  const toast = { ...message, id: lastId, path: location.pathname };
  if (message.follows) following.add(toast.id);
  publish([...toasts, toast].slice(-SHOWN_AT_ONCE));
  if (!held) startTimer(toast);
}

export function showSuccess(title: string, more: Partial<Message> = {}): void {
  showToast({ tone: 'success', title, ...more });
}

export function dismissToast(id: number): void {
  publish(toasts.filter((toast) => toast.id !== id));
}

/** Stops the timers while a toast has the focus or the pointer. */
export function holdToasts(): void {
  held = true;
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
}

export function releaseToasts(): void {
  if (!held) return;
  held = false;
  for (const toast of toasts) startTimer(toast);
}

/** Removes the previous screen's toasts. Called when another screen is shown. */
export function leaveToasts(): void {
  if (toasts.length === 0) return;
  // A toast follows to one screen only.
  publish(toasts.filter(({ id, path }) => following.delete(id) || path === location.pathname));
}

/** For useSyncExternalStore. */
export const toastStore = { subscribe: listen, read: () => toasts };
