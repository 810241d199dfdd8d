import { useEffect, useState, type ComponentType } from 'react';

import type { ConfirmDialogProps } from './ConfirmDialogContent.tsx';

/** Asks before what cannot be undone. Its code comes after the screen's, which is shown without it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open } = props;
  const [Content, setContent] = useState<ComponentType<ConfirmDialogProps>>();
  const isMissing = Content === undefined;
  useEffect(() => {
    if (!isMissing) return;
    import('./ConfirmDialogContent.tsx')
      .then(({ ConfirmDialogContent }) => setContent(() => ConfirmDialogContent))
      .catch((error: unknown) => {
        // It is tried again when it is needed.
        if (open) throw error;
      });
  }, [isMissing, open]);
  return Content ? <Content {...props} /> : null;
}
