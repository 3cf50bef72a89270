const numbers = new WeakMap<object, number>()
let last = 0

/** The same for all names of a file in the map, for as long as it lives: see FileSystem.fileId. */
export function fileIdIn(files: ReadonlyMap<string, object>, path: string): string | undefined {
  const file = files.get(path)
  if (file === undefined) return undefined
  if (!numbers.has(file)) numbers.set(file, ++last)
  return `file ${numbers.get(file)}`
}
