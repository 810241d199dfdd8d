import {
  useEffect,
  useRef,
  useSyncExternalStore,
  type FocusEvent,
  type KeyboardEvent as PressedKey,
} from 'react';

import { Explanation } from './Explanation.tsx';
import { focusOrHeading } from './focus.ts';
import { CheckCircleIcon, CloseIcon, WarningIcon } from './icons.tsx';
import styles from './Toaster.module.css';
import { dismissToast, holdToasts, releaseToasts, toastStore, type Toast } from '../lib/toasts.ts';

/** Moves the focus to the newest toast from anywhere on the page. */
const KEY = 'F8';

/**
 * The region where toasts appear. It is always rendered, because screen readers announce only content that
 * is added to an existing live region.
 */
export function Toaster() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read);
  const region = useRef<HTMLDivElement>(null);
  const cameFrom = useRef<Element>(null);
  useEffect(() => {
    const reach = ({ key }: KeyboardEvent) => {
      if (key === KEY)
        region.current?.querySelector<HTMLElement>(':scope > :last-child button')?.focus();
    };
    window.addEventListener('keydown', reach);
    return () => window.removeEventListener('keydown', reach);
  }, []);
  const isWithin = (target: EventTarget | null) =>
    region.current?.contains(target as Node) ?? false;
  const close = (id: number) => {
    // Return the focus to where it was before it moved to the toast.
    if (isWithin(document.activeElement)) focusOrHeading(cameFrom.current);
    dismissToast(id);
    releaseToasts();
  };
  const attention = {
    onPointerEnter: holdToasts,
    onPointerLeave: () => (isWithin(document.activeElement) ? undefined : releaseToasts()),
    onFocus: ({ relatedTarget }: FocusEvent) => {
      if (!isWithin(relatedTarget)) cameFrom.current = relatedTarget;
      holdToasts();
    },
    onBlur: ({ relatedTarget }: FocusEvent) =>
      isWithin(relatedTarget) ? undefined : releaseToasts(),
  };
  return (
    <div
      ref={region}
      className={`stack gap-2 ${styles.region}`}
      role="log"
      aria-live="polite"
      aria-label={`Meldinger (${KEY})`}
      {...attention}
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} onClose={() => close(toast.id)} />
      ))}
    </div>
  );
}

function ToastCard({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  const Icon = toast.tone === 'success' ? CheckCircleIcon : WarningIcon;
  const closeByEscape = ({ key }: PressedKey) => {
    if (key === 'Escape') onClose();
  };
  return (
    <div className={styles.toast} data-tone={toast.tone}>
      <Icon />
      <div className="grow">
        <p className="title">{toast.title}</p>
        {toast.description ? <p className={styles.description}>{toast.description}</p> : null}
        {toast.refusal?.map((message) => (
          <Explanation key={message} of={message} className={styles.description} />
        ))}
      </div>
      {toast.onUndo ? (
        <button
          type="button"
          className={`strong ${styles.undo}`}
          onClick={() => {
            onClose();
            toast.onUndo?.();
          }}
          onKeyDown={closeByEscape}
        >
          Angre
        </button>
      ) : null}
      <button
        type="button"
        className={styles.close}
        aria-label="Lukk meldingen"
        onClick={onClose}
        onKeyDown={closeByEscape}
      >
        <CloseIcon />
      </button>
    </div>
  );
}
