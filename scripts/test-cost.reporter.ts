import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = Number(process.env['DEAREST_FILES'] ?? 10);

/** Prints which files of a run took most of the processors. */
export default class CostReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const costs = modules
      .map((module) => ({
        seconds: module.meta().processorSeconds ?? 0,
        name: `${module.relativeModuleId} (${module.project.name})`,
      }))
      .toSorted((one, other) => other.seconds - one.seconds);
    const total = costs.reduce((sum, { seconds }) => sum + seconds, 0);
    const lines = costs
      .slice(0, SHOWN)
      .map(({ seconds, name }) => `${seconds.toFixed(1).padStart(8)} ${name}`);
    console.log(
      [`The dearest files, in seconds of a processor (all: ${total.toFixed(0)}):`, ...lines].join(
        '\n',
      ),
    );
  }
}
