/**
 * The address of a module that a thread runs, given as its path without an extension beside the caller's `import.meta.url`.
 * Node loads no TypeScript in a thread: in a test, which runs the sources, the module is the built one.
 */
export function threadProgram(path: string, base: string): string {
  if (!base.endsWith('.ts')) return new URL(`${path}.js`, base).href
  const source = new URL(`${path}.js`, base).href
  const root = source.lastIndexOf('/src/')
  return `${source.slice(0, root)}/dist${source.slice(root)}`
}
