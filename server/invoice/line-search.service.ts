import type { LineProposal } from '../../domain/invoice/invoice.endpoints.ts';
import { oreToKroner } from '../../domain/money.ts';
import type { Actor, Context } from '../context.ts';
import { findLines, type FoundLine } from './line-search.repository.ts';

/** Lines that the company has invoiced before and whose description has this prefix; none for an empty prefix. */
export async function proposeLines(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { companyId }: Actor,
  query: { query: string; size: number },
): Promise<LineProposal[]> {
  if (query.query === '') return [];
  const lines = await findLines(db, companyId, query);
  const hasUnits = config.features.has('units');
  return lines.map((line) => toProposal(line, hasUnits));
}

function toProposal(line: FoundLine, hasUnits: boolean): LineProposal {
  const { description, netUnitAmount, vatRate, unit } = line;
  const proposal = {
    description,
    netUnitAmount: oreToKroner(netUnitAmount),
    vatRatePercentage: vatRate,
  };
  return hasUnits && unit !== null ? { ...proposal, unit } : proposal;
}
