import type { ReactNode } from 'react';

interface ProgressBoxProps {
  readonly label: string;
  /** From 0 to 1; undefined shows that something happens, such as once all is sent and the server works. */
  readonly share: number | undefined;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function ProgressBox({ label, share, action, children }: ProgressBoxProps) {
  return (
    <div className="box row" data-tone="blue">
      <div className="grow numeric">
        {children}
        <progress aria-label={label} value={share} />
      </div>
      {action}
    </div>
  );
}
