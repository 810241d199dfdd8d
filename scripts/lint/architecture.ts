// oxlint loads this as a plugin (see .oxlintrc.json): the rules of ARCHITECTURE.md that its own
// rules cannot express, because they depend on where the importing and the imported file lie.

import fs from 'node:fs';
import path from 'node:path';
import { forbiddenImport, forbiddenPackage, forbiddenQuery } from './zones.ts';

/** The part of ESLint's rule API that is used here; oxlint ships no types for it. */
interface Context {
  filename: string;
  cwd: string;
  report: (problem: { node: Node; message: string }) => void;
}
interface Node {
  type: string;
  value?: unknown;
  source?: Node | null;
  callee?: Node;
  property?: Node;
  name?: string;
  arguments?: Node[];
}

const QUERY_METHODS = new Set([
  'selectFrom',
  'insertInto',
  'updateTable',
  'deleteFrom',
  'mergeInto',
  'replaceInto',
  'innerJoin',
  'leftJoin',
  'rightJoin',
  'fullJoin',
]);

const imports = {
  create(context: Context) {
    const from = relative(context, context.filename);
    const check = (node: Node): void => {
      const specifier = node.source?.value;
      if (typeof specifier !== 'string') return;
      const isOurs = specifier.startsWith('.') || specifier.startsWith('/');
      const message = isOurs
        ? forbiddenImport(from, resolve(context, specifier))
        : forbiddenPackage(from, specifier);
      if (message !== undefined) context.report({ node: node.source ?? node, message });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    };
  },
};

const queries = {
  create(context: Context) {
    const from = relative(context, context.filename);
    if (!from.startsWith('server/')) return {};
    const concepts = conceptsOf(context.cwd);
    return {
      CallExpression(node: Node): void {
        const table = queriedTable(node);
        const message = table === undefined ? undefined : forbiddenQuery(from, table, concepts);
        if (message !== undefined) context.report({ node, message });
      },
    };
  },
};

function queriedTable(call: Node): string | undefined {
  const method = call.callee?.property?.name;
  if (call.callee?.type !== 'MemberExpression' || !method || !QUERY_METHODS.has(method)) {
    return undefined;
  }
  const table = call.arguments?.[0]?.value;
  return typeof table === 'string' ? table : undefined;
}

function resolve(context: Context, specifier: string): string {
  return relative(context, path.resolve(path.dirname(context.filename), specifier));
}

function relative(context: Context, file: string): string {
  return path.relative(context.cwd, file).split(path.sep).join('/');
}

let knownConcepts: { cwd: string; names: string[] } | undefined;

function conceptsOf(cwd: string): string[] {
  if (knownConcepts?.cwd === cwd) return knownConcepts.names;
  const server = path.join(cwd, 'server');
  const entries = fs.existsSync(server) ? fs.readdirSync(server, { withFileTypes: true }) : [];
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  knownConcepts = { cwd, names };
  return names;
}

// oxlint asks for the default export.
export default { meta: { name: 'architecture' }, rules: { imports, queries } };
