/** Which build of Typst sets the type. */
export type EngineName = 'native' | 'wasm';

/** A compiler that is ready, with the template and the fonts. */
export interface TypstEngine {
  readonly name: EngineName;
  /**
   * Sets one document and writes it as PDF.
   *
   * @param data the JSON that the template reads
   * @throws Error with Typst's own words when it cannot be set
   */
  compile(data: string): Buffer;
}

/** What an engine is made of. */
export interface EngineParts {
  readonly template: string;
  readonly fonts: readonly Buffer[];
}
