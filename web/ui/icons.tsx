/** The app's icons. `web/app/layout.css` sets their size, by the text they stand with, and `web/app/main.tsx` their stroke. A text beside an icon says the same. */
export {
  Calendar as CalendarIcon,
  Check as CheckIcon,
  CircleCheck as CheckCircleIcon,
  ChevronDown as ChevronDownIcon,
  ChevronRight as ChevronRightIcon,
  ChevronUp as ChevronUpIcon,
  Clock as ClockIcon,
  X as CloseIcon,
  Download as DownloadIcon,
  FileText as FileIcon,
  SlidersHorizontal as FilterIcon,
  Info as InfoIcon,
  Landmark as BankIcon,
  Layers as LayersIcon,
  LogOut as LogOutIcon,
  Pencil as PencilIcon,
  UsersRound as PeopleIcon,
  UserRound as PersonIcon,
  Plus as PlusIcon,
  Search as SearchIcon,
  Send as SendIcon,
  Share as ShareIcon,
  Tag as TagIcon,
  Trash as TrashIcon,
  Undo2 as UndoIcon,
  Upload as UploadIcon,
  CircleExclamationPoint as WarningIcon,
} from 'lucide-react';

/** The product's logo: an F that also looks like the first line of a list. */
export function LogoMark({ size = 28 }: { readonly size?: number }) {
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
