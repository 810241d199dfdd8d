import { fsyncSync } from 'node:fs';

import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

interface OpenFile {
  readonly nfd: number;
  readonly path: string;
}

interface FileOperations {
  write: (this: void, file: OpenFile, ...rest: unknown[]) => number;
  fsync?: (this: void, file: OpenFile) => number;
}

interface MountedModule {
  readonly NODEFS: { readonly stream_ops: FileOperations };
}

/**
 * PGlite's file system with fsync, which PostgreSQL calls and PGlite does not implement. When PostgreSQL cannot write
 * its log it aborts; PGlite would loop for ever instead, so this ends the process.
 */
export class DurableNodeFS extends NodeFS {
  override async init(pg: PGlite, options: Parameters<NodeFS['init']>[1]) {
    const result = await super.init(pg, options);
    const mounted = (module: unknown) => makeDurable((module as MountedModule).NODEFS.stream_ops);
    result.emscriptenOpts.preRun = [result.emscriptenOpts.preRun ?? [], mounted].flat();
    return result;
  }
}

function makeDurable(operations: FileOperations): void {
  const { write } = operations;
  operations.write = (file, ...rest) => {
    try {
      return write(file, ...rest);
    } catch (error) {
      if (file.path.includes('/pg_wal/')) giveUp(error);
      throw error;
    }
  };
  operations.fsync = (file) => {
    try {
      fsyncSync(file.nfd);
    } catch (error) {
      giveUp(error);
    }
    return 0;
  };
}

/** Ends the process as a power cut would; the database survives that. */
function giveUp(error: unknown): never {
  const { code } = withCode(error) ?? (error as NodeJS.ErrnoException);
  process.stderr.write(
    `Faktur stopped: the database could not write its log (${code ?? String(error)}). What was answered with success is kept. See that the disk with DATA_DIR has room and can be written to, and start it again.\n`,
  );
  process.exit(1);
}

/** WASI's numbers of disk errors. */
const WASI_ERRORS: Readonly<Record<number, string>> = {
  2: 'EACCES',
  19: 'EDQUOT',
  29: 'EIO',
  51: 'ENOSPC',
  63: 'EPERM',
  69: 'EROFS',
};

/** The disk error with Node's error code; null when it is not a disk error. */
export function withCode(error: unknown): NodeJS.ErrnoException | null {
  const { errno } = (error ?? {}) as { readonly errno?: number };
  const code = WASI_ERRORS[errno ?? 0];
  return code === undefined ? null : Object.assign(new Error(code, { cause: error }), { code });
}
