import type { ReactNode } from 'react';

interface IconProps {
  /** Width and height in pixels. */
  readonly size?: number;
}

/** Hidden from screen readers, because a text beside the icon says the same. */
function Icon({ size = 20, children }: IconProps & { children: ReactNode }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

/** Creates an icon from one path. Exported for modules with their own icons. */
export function fromPath(d: string) {
  return function PathIcon({ size }: IconProps) {
    return (
      <Icon {...(size === undefined ? {} : { size })}>
        <path d={d} />
      </Icon>
    );
  };
}

const CIRCLE = 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z';

export const PlusIcon = /* @__PURE__ */ fromPath('M12 5v14M5 12h14');
export const CloseIcon = /* @__PURE__ */ fromPath('M6 6l12 12M18 6 6 18');
export const SearchIcon = /* @__PURE__ */ fromPath(
  'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM20 20l-4-4',
);
export const PencilIcon = /* @__PURE__ */ fromPath('M4 20h4L19 9l-4-4L4 16v4ZM13 7l4 4');
export const TrashIcon = /* @__PURE__ */ fromPath(
  'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
);
export const FileIcon = /* @__PURE__ */ fromPath('M14 3H6v18h12V7l-4-4ZM14 3v4h4M9 12h6M9 16h6');
export const DownloadIcon = /* @__PURE__ */ fromPath('M12 4v11M7 11l5 5 5-5M5 20h14');
export const SendIcon = /* @__PURE__ */ fromPath('M4 12 20 4l-5 16-4-7-7-1ZM11 13l4-4');
export const UploadIcon = /* @__PURE__ */ fromPath('M12 16V5M7 9l5-5 5 5M5 20h14');
export const ClockIcon = /* @__PURE__ */ fromPath(`${CIRCLE}M12 7v5l3 2`);
export const CheckIcon = /* @__PURE__ */ fromPath('M5 12.5l4.5 4.5L19 7');
export const CheckCircleIcon = /* @__PURE__ */ fromPath(`${CIRCLE}M8 12.5l3 3 5-6`);
export const WarningIcon = /* @__PURE__ */ fromPath(`${CIRCLE}M12 8v5M12 16v.01`);
export const InfoIcon = /* @__PURE__ */ fromPath(`${CIRCLE}M12 11v5M12 8v.01`);
export const ChevronUpIcon = /* @__PURE__ */ fromPath('M6 15l6-6 6 6');
export const ChevronDownIcon = /* @__PURE__ */ fromPath('M6 9l6 6 6-6');
export const ChevronRightIcon = /* @__PURE__ */ fromPath('M9 6l6 6-6 6');
export const PersonIcon = /* @__PURE__ */ fromPath(
  'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4 20c1-4 4-6 8-6s7 2 8 6',
);
export const PeopleIcon = /* @__PURE__ */ fromPath(
  'M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM2.5 19c.7-3.4 3.2-5 6.5-5s5.8 1.6 6.5 5M16 5.3a3.5 3.5 0 0 1 0 6.4M18 14.5c2 .7 3.1 2.2 3.5 4.5',
);
export const LayersIcon = /* @__PURE__ */ fromPath('M12 4 3 9l9 5 9-5-9-5ZM3 14l9 5 9-5');
export const CalendarIcon = /* @__PURE__ */ fromPath('M4 6h16v14H4V6ZM4 10h16M8 3v4M16 3v4');
export const LogOutIcon = /* @__PURE__ */ fromPath('M14 4H5v16h9M10 12h11M17 8l4 4-4 4');
export const BankIcon = /* @__PURE__ */ fromPath(
  'M4 10h16L12 4 4 10ZM6 10v8M10 10v8M14 10v8M18 10v8M4 20h16',
);

/** The product's logo: an F that also looks like the first line of a list. */
export function LogoMark({ size = 28 }: IconProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path
        d="M11 24V8h11M11 16h8"
        fill="none"
        stroke="#fff"
        strokeWidth="3.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
