/** The roles of members in a company (features § 17). */
export const ROLES = ['OWNER', 'EMPLOYEE', 'ACCOUNTANT', 'AUDITOR'] as const;
export type Role = (typeof ROLES)[number];

/** Permissions: each endpoint of a company names those that it needs. */
export const PERMISSIONS = [
  'see',
  'edit',
  'issue',
  'payments',
  'export',
  'profile',
  'members',
  'archive',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** A membership, as far as it decides what the member may do. */
export interface Membership {
  readonly role: Role;
  /** The owner's switch: may register, send and credit. */
  readonly mayRegister: boolean;
  /** The owner's switch: may handle payments, bank files and reminders. */
  readonly mayHandlePayments: boolean;
}

/** The permissions of a member, in the order of PERMISSIONS (MEM-4). */
export function permissionsOf({
  role,
  mayRegister,
  mayHandlePayments,
}: Membership): readonly Permission[] {
  if (role === 'OWNER') return PERMISSIONS;
  if (role === 'AUDITOR') return ['see', 'export'];
  const issue = mayRegister ? (['issue'] as const) : [];
  if (role === 'ACCOUNTANT') return ['see', 'edit', ...issue, 'payments', 'export'];
  return ['see', 'edit', ...issue, ...(mayHandlePayments ? (['payments'] as const) : [])];
}
