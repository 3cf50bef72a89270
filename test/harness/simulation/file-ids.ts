/** The same for all names of a file in the map: see FileSystem.fileId. */
export function fileIdIn(files: ReadonlyMap<string, object>, path: string): string | undefined {
  const file = files.get(path)
  return file === undefined ? undefined : `file ${[...files.values()].indexOf(file)}`
}
