import { useState } from 'react';

/** Asks a question with a `ConfirmDialog`, which gets `dialog` as its props. `ask` resolves to the answer. */
export function useQuestion() {
  const [asked, setAsked] = useState<{ readonly answer: (isYes: boolean) => void }>();
  const answer = (isYes: boolean) => {
    setAsked(undefined);
    asked?.answer(isYes);
  };
  return {
    ask: async () => new Promise<boolean>((resolve) => setAsked({ answer: resolve })),
    dialog: {
      open: asked !== undefined,
      pending: false,
      onClose: () => answer(false),
      onConfirm: () => answer(true),
    },
  };
}
