import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The official validator's result for one document. */
export interface Verdict {
  readonly parse: string | null;
  readonly xsd: readonly string[];
  readonly asserts: readonly { id: string; flag: string; at: string; text: string }[];
}

/** The folder with the official rules beside the project, or null when there is none. */
export function findPeppolRules(): string | null {
  const projectRoot = path.resolve(import.meta.dirname, '../..');
  const folder = path.join(projectRoot, '..', 'shared', 'peppol');
  return fs.existsSync(path.join(folder, 'validate.mjs')) ? folder : null;
}

/**
 * Runs the official XSDs and Schematron rules on all documents in one run. Results are in the order of the documents.
 * The validator is installed once per version in the temporary folder.
 */
export function validateAll(rules: string, documents: readonly string[]): Verdict[] {
  const installed = install(rules);
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-ehf-'));
  try {
    const files = documents.map((xml, index) => {
      const file = path.join(work, `${index}.xml`);
      fs.writeFileSync(file, xml);
      return file;
    });
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['validate.mjs', '--json', ...files],
      { cwd: installed, encoding: 'utf8', maxBuffer: 2 ** 28 },
    );
    if (status !== 0 && status !== 1) throw new Error(`The validator did not run: ${stderr}`);
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Verdict);
  } finally {
    fs.rmSync(work, { recursive: true });
  }
}

function install(rules: string): string {
  const lock = fs.readFileSync(path.join(rules, 'package-lock.json'));
  const code = fs.readFileSync(path.join(rules, 'validate.mjs'));
  const version = createHash('sha256').update(lock).update(code).digest('hex').slice(0, 16);
  const home = path.join(os.tmpdir(), `faktur-peppol-${version}`);
  if (!fs.existsSync(home)) {
    const staging = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-peppol-'));
    fs.cpSync(rules, staging, { recursive: true });
    fs.chmodSync(staging, 0o755);
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: staging });
    fs.renameSync(staging, home);
  }
  // The rules are small and may be newer than the installed validator.
  fs.cpSync(path.join(rules, 'data'), path.join(home, 'data'), { recursive: true, force: true });
  return home;
}
