import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { loadModule } from 'libpg-query';

import { ROOT } from '../process.ts';
import { unnamedCompanies } from './judge.ts';

/**
 * What the judge says of each text, asked once, whichever process of whichever run comes first: the suite
 * runs a thousand different statements in hundreds of files.
 */
export class Verdicts {
  readonly #tables: ReadonlySet<string>;
  readonly #folder: string;
  /** What was asked for; undefined of what nobody had judged by then. */
  readonly #known = new Map<string, readonly string[] | undefined>();

  /** @param tables whose rows are a company's */
  constructor(tables: readonly string[]) {
    this.#tables = new Set(tables);
    const hash = createHash('sha256').update(tables.join());
    for (const file of readdirSync(import.meta.dirname).toSorted()) {
      hash.update(readFileSync(join(import.meta.dirname, file)));
    }
    this.#folder = join(ROOT, 'node_modules/.cache/statements', hash.digest('hex').slice(0, 16));
    mkdirSync(this.#folder, { recursive: true });
  }

  /** As `of`; undefined of what nobody had judged when it was first asked for. */
  known(text: string): readonly string[] | undefined {
    if (!this.#known.has(text)) this.#known.set(text, this.#read(text));
    return this.#known.get(text);
  }

  /** The tables of companies whose company a statement does not name. */
  async of(text: string): Promise<readonly string[]> {
    const known = this.known(text) ?? this.#read(text);
    if (known) return known;
    await loadModule();
    const verdict = unnamedCompanies(text, { tables: this.#tables });
    writeFileSync(this.#fileOf(text), JSON.stringify(verdict));
    return verdict;
  }

  #read(text: string): readonly string[] | undefined {
    try {
      return JSON.parse(readFileSync(this.#fileOf(text), 'utf8')) as string[];
    } catch {
      return undefined;
    }
  }

  #fileOf(text: string): string {
    return join(this.#folder, createHash('sha256').update(text).digest('hex'));
  }
}
