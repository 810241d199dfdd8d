interface ProgressProps {
  readonly label: string;
  /** The share of the list sent, from 0 to 1. */
  readonly share: number;
}

/** Upload progress. Sending can be slow on a phone; the server then needs a second or two. */
export function Progress({ label, share }: ProgressProps) {
  return (
    <div className="box numeric" data-tone="blue">
      <p>
        <span aria-live="polite">{label}</span>{' '}
        <span aria-hidden="true">{share < 1 ? `${Math.floor(share * 100)} %` : '…'}</span>
      </p>
      <progress
        aria-label={label}
        // Without a value the bar is indeterminate: the server is working.
        {...(share < 1 ? { value: share } : {})}
      />
    </div>
  );
}
