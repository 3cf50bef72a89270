/** The address of a module that a thread runs, given as its path without an extension beside the caller's `import.meta.url`. */
export function threadProgram(path: string, base: string): string {
  return new URL(`${path}.js`, base).href
}
