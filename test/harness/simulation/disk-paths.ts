/** Paths of the simulated disk. */

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

/** The directories that a path is in, but for that of the store. */
export function parentsOf(path: string): string[] {
  const parents: string[] = []
  for (let at = parentOf(path); at.lastIndexOf('/') > 0; at = parentOf(at)) parents.push(at)
  return parents
}

export function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`)
}
