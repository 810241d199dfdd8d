import fs from 'node:fs';
import { fileURLToPath } from 'node:url';

import { initSync, TypstCompilerBuilder } from '@myriaddreamin/typst-ts-web-compiler';

import type { EngineParts, TypstEngine } from './typst-engine.ts';

const MAIN = '/invoice.typ';
const DATA = '/data.json';
/** Faults as objects with a message each, of the formats that the compiler offers. */
const DIAGNOSTICS_AS_OBJECTS = 2;

interface Outcome {
  readonly result?: Uint8Array;
  readonly diagnostics?: readonly { readonly message: string }[];
}

/** Typst as WebAssembly, which runs wherever Node does. It writes plain tagged PDF 1.7. */
export async function openWasmTypst({ template, fonts }: EngineParts): Promise<TypstEngine> {
  const binary = import.meta.resolve('@myriaddreamin/typst-ts-web-compiler/wasm');
  initSync({ module: fs.readFileSync(fileURLToPath(binary)) });
  const builder = new TypstCompilerBuilder();
  builder.set_dummy_access_model();
  for (const font of fonts) await builder.add_raw_font(font);
  const compiler = await builder.build();
  compiler.add_source(MAIN, template);
  return {
    name: 'wasm',
    compile: (data) => {
      try {
        compiler.map_shadow(DATA, Buffer.from(data));
        const outcome = compiler.compile(MAIN, [], 'pdf', DIAGNOSTICS_AS_OBJECTS) as Outcome;
        if (outcome.result) return Buffer.from(outcome.result);
        const faults = outcome.diagnostics?.map(({ message }) => message) ?? [];
        throw new Error(faults.join('; ') || 'Typst wrote nothing');
      } finally {
        compiler.reset();
      }
    },
  };
}
