import { Spinner } from './Spinner.tsx';

/** A tall placeholder, so that the footer does not move when the content arrives. */
export function Loading() {
  return (
    <div className="waiting">
      <Spinner size={32} label="Laster" />
    </div>
  );
}
