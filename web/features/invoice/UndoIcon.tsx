import { fromPath } from '../../ui/icons.tsx';

export const UndoIcon = /* @__PURE__ */ fromPath('M9 6 4 11l5 5M4 11h10a5.5 5.5 0 0 1 0 11h-2');
