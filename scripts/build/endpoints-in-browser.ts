import type { ESTree, Plugin } from 'vite';

const ENDPOINTS = /\.endpoints\.ts$/;
/** What the browser's client looks at (web/api/client.ts). The types have the rest. */
const USED: ReadonlySet<string> = new Set(['method', 'path']);

/**
 * Leaves out of endpoints what only the server reads: the schemas of what comes in and what goes
 * out, and what OpenAPI says. Making those schemas took the browser longer than drawing a screen.
 * With them go the schemas that nothing else uses, since making one is known to have no other effect.
 */
export function endpointsInBrowser(): Plugin {
  return {
    name: 'endpoints-in-browser',
    apply: 'build',
    config: () => ({
      build: { rolldownOptions: { treeshake: { manualPureFunctions: ['z', 'defineEndpoint'] } } },
    }),
    transform(code, id) {
      if (!ENDPOINTS.test(id)) return null;
      let slim = code;
      // From the end, so that what is found stays where it was found.
      for (const { start, end } of unusedProperties(this.parse(code)).toReversed()) {
        slim = slim.slice(0, start) + slim.slice(end).replace(/^\s*,/, '');
      }
      return { code: slim, map: null };
    },
  };
}

/** Every endpoint is `export const name = defineEndpoint({ … })`. */
function unusedProperties({ body }: ESTree.Program): ESTree.ObjectPropertyKind[] {
  return body
    .flatMap((statement) =>
      statement.type === 'ExportNamedDeclaration' &&
      statement.declaration?.type === 'VariableDeclaration'
        ? statement.declaration.declarations
        : [],
    )
    .flatMap(({ init }) => (init?.type === 'CallExpression' ? init.arguments : []))
    .flatMap((endpoint) => (endpoint.type === 'ObjectExpression' ? endpoint.properties : []))
    .filter(
      (property) =>
        property.type !== 'Property' ||
        property.key.type !== 'Identifier' ||
        !USED.has(property.key.name),
    );
}
