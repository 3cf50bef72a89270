/** The URL of a module that a thread runs. `path`: relative to the caller's `import.meta.url` (`base`), without an extension. */
export function threadProgram(path: string, base: string): string {
  return new URL(`${path}.js`, base).href
}
