// Import circles of the whole project: between folders, and between files that load each other later.

import fs from 'node:fs';
import path from 'node:path';
import { TABLE_OWNERS } from './table-owners.ts';
import { folderOf, isTest } from './zones.ts';

const TIERS = ['domain', 'server', 'web'];
/** Also matches types, whole modules, re-exports and dynamic imports. */
const IMPORTED = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** For each folder, or file, those that it imports, each with the first such import found. */
export type Graph = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Reads the imports between the files of the three tiers, and between their folders. A file directly in a tier counts as a
 * folder of its own. Tests are left out, since they may import anything. Reading another concept's table counts as an
 * import of its folder.
 *
 * @param cwd the project's folder
 */
export function readGraphs(cwd: string): { folders: Graph; files: Graph } {
  const folders: Growing = new Map();
  const files: Growing = new Map();
  for (const { from, to } of importsOf(cwd)) {
    add(files, from, to, `${from} imports ${to}`);
    addFolders(folders, folderOf(from), folderOf(to), `${from} imports ${to}`);
  }
  for (const [table, { owner, readBy }] of Object.entries(TABLE_OWNERS)) {
    for (const reader of Object.keys(readBy ?? {})) {
      const how = `server/${reader} reads the table ${table}`;
      addFolders(folders, `server/${reader}`, `server/${owner}`, how);
    }
  }
  return { folders, files };
}

function importsOf(cwd: string): { from: string; to: string }[] {
  return sources(cwd).flatMap((from) =>
    [...fs.readFileSync(path.join(cwd, from), 'utf8').matchAll(IMPORTED)].map(
      ([, specifier = '']) => ({ from, to: path.posix.join(path.posix.dirname(from), specifier) }),
    ),
  );
}

function sources(cwd: string): string[] {
  return TIERS.flatMap((tier) => {
    const folder = path.join(cwd, tier);
    if (!fs.existsSync(folder)) return [];
    return fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => `${tier}/${name.split(path.sep).join('/')}`)
      .filter((name) => /\.tsx?$/.test(name) && !isTest({ path: name }))
      .toSorted();
  });
}

type Growing = Map<string, Map<string, string>>;

function addFolders(graph: Growing, from: string, to: string, how: string): void {
  if (from !== to) add(graph, from, to, how);
}

function add(graph: Growing, from: string, to: string, how: string): void {
  const imported = graph.get(from) ?? new Map<string, string>();
  graph.set(from, imported);
  if (!imported.has(to)) imported.set(to, how);
}

/**
 * The fault of an import that closes a circle of folders, or undefined.
 *
 * @param from the importing file
 * @param to the imported file
 */
export function circleOf(graph: Graph, from: string, to: string): string | undefined {
  const start = folderOf(from);
  const end = folderOf(to);
  if (isTest({ path: from }) || !graph.get(start)?.has(end)) return undefined;
  const back = wayTo(graph, end, start);
  if (!back) return undefined;
  return `Folders form a circle: ${[start, ...back.nodes].join(' → ')}. The way back: ${back.how.join('; ')}.`;
}

/** The fault of a file that loads another later, which imports it; the linter's own rule sees the imports at once. */
export function laterCircleOf(graph: Graph, from: string, to: string): string | undefined {
  const back = isTest({ path: from }) ? undefined : wayTo(graph, to, from);
  return back && `Files form a circle: ${[from, ...back.nodes].join(' → ')}.`;
}

/** The shortest import path from one folder, or file, to another. */
function wayTo(graph: Graph, from: string, to: string) {
  const ways = [{ nodes: [from], how: [] as string[] }];
  const seen = new Set([from]);
  for (const way of ways) {
    for (const [next, how] of graph.get(way.nodes.at(-1) ?? '') ?? []) {
      const further = { nodes: [...way.nodes, next], how: [...way.how, how] };
      if (next === to) return further;
      if (!seen.has(next)) ways.push(further);
      seen.add(next);
    }
  }
  return undefined;
}
