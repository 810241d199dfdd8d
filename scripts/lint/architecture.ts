// oxlint loads this as a plugin (see .oxlintrc.json): the rules of ARCHITECTURE.md that its own
// rules cannot express, because they depend on where the importing and the imported file lie.

import path from 'node:path';
import { circleOf, readGraph, type Graph } from './circles.ts';
import { forbiddenQuery, HIDDEN, mayBeRefused, queriesOf, type Expression } from './queries.ts';
import { forbiddenImport, forbiddenPackage } from './zones.ts';

/** The part of ESLint's rule API that is used here; oxlint ships no types for it. */
interface Context {
  filename: string;
  cwd: string;
  report: (problem: { node: Node; message: string }) => void;
}
interface Node extends Expression {
  source?: Expression | null;
}

const imports = importRule((context, from, specifier) =>
  isOurs(specifier)
    ? forbiddenImport(from, resolve(context, specifier))
    : forbiddenPackage(from, specifier),
);

const circles = importRule((context, from, specifier) =>
  isOurs(specifier) ? circleOf(graphOf(context), from, resolve(context, specifier)) : undefined,
);

/** A rule on each import, of values and types, with what it finds wrong with one. */
function importRule(
  wrongWith: (context: Context, from: string, specifier: string) => string | undefined,
) {
  return {
    create(context: Context) {
      const from = relative(context, context.filename);
      const check = (node: Node): void => {
        const specifier = node.source?.value;
        const message =
          typeof specifier === 'string' ? wrongWith(context, from, specifier) : undefined;
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
}

function isOurs(specifier: string): boolean {
  return specifier.startsWith('.') || specifier.startsWith('/');
}

const queries = {
  create(context: Context) {
    const from = relative(context, context.filename);
    if (!mayBeRefused(from)) return {};
    const check = (node: Node): void => {
      for (const query of queriesOf(node)) {
        const message = query === 'hidden' ? HIDDEN : forbiddenQuery(from, query);
        if (message !== undefined) context.report({ node, message });
      }
    };
    return { CallExpression: check, TaggedTemplateExpression: check };
  },
};

function resolve(context: Context, specifier: string): string {
  return relative(context, path.resolve(path.dirname(context.filename), specifier));
}

function relative(context: Context, file: string): string {
  return path.relative(context.cwd, file).split(path.sep).join('/');
}

let known: { cwd: string; graph: Graph } | undefined;

/** Read once for each project, of which a run of the linter has one. */
function graphOf({ cwd }: Context): Graph {
  if (known?.cwd !== cwd) known = { cwd, graph: readGraph(cwd) };
  return known.graph;
}

// oxlint asks for the default export.
export default { meta: { name: 'architecture' }, rules: { imports, circles, queries } };
