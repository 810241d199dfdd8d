// An oxlint plugin (see .oxlintrc.json): the rules of ARCHITECTURE.md that oxlint's own rules cannot express, because
// they depend on the folders of the importing and the imported file.

import path from 'node:path';
import { circleOf, laterCircleOf, readGraphs, type Graph } from './circles.ts';
import { forbiddenQuery, HIDDEN, mayBeRefused, queriesOf, type Expression } from './queries.ts';
import { forbiddenImport, forbiddenPackage } from './zones.ts';

/** The part of ESLint's rule API used here; oxlint ships no types for it. */
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

const circles = importRule((context, from, specifier, type) => {
  if (!isOurs(specifier)) return undefined;
  const { folders, files } = graphsOf(context);
  const to = resolve(context, specifier);
  const later = type === 'ImportExpression' ? laterCircleOf(files, from, to) : undefined;
  return circleOf(folders, from, to) ?? later;
});

/** A rule for each import of values and types. `findFault` returns the message, if any. */
function importRule(
  findFault: (
    context: Context,
    from: string,
    specifier: string,
    type: string,
  ) => string | undefined,
) {
  return {
    create(context: Context) {
      const from = relative(context, context.filename);
      const check = (node: Node): void => {
        const specifier = node.source?.value;
        const message =
          typeof specifier === 'string'
            ? findFault(context, from, specifier, node.type)
            : undefined;
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

let known: { cwd: string; folders: Graph; files: Graph } | undefined;

/** Read once per project; one run of the linter has one project. */
function graphsOf({ cwd }: Context): { folders: Graph; files: Graph } {
  if (known?.cwd !== cwd) known = { cwd, ...readGraphs(cwd) };
  return known;
}

// oxlint requires the default export.
export default { meta: { name: 'architecture' }, rules: { imports, circles, queries } };
