/** Whether a company works, or was closed by its owner (CLO-1). */
export const COMPANY_STATES = ['OPEN', 'CLOSED'] as const;
