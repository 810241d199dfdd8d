/**
 * How often a test kills the process. `KILL_ROUNDS=25` for the long run. Half as often with the embedded
 * database, which takes seconds to start.
 */
export function killRounds(usual: number): number {
  const isEmbedded = process.env['TEST_DATABASE'] !== 'postgres';
  return Number(process.env['KILL_ROUNDS'] ?? (isEmbedded ? usual / 2 : usual));
}
