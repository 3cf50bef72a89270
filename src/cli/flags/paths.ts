/** Values that are paths of files. */

import { InvalidArgumentError } from 'commander'

/** Throws InvalidArgumentError for a path that is empty or has spaces around it. */
export function parsePath(path: string): string {
  if (path !== '' && path.trim() === path && !path.includes('\0')) return path
  throw new InvalidArgumentError('A path is missing, or begins or ends with a space.')
}

/** Adds the paths to the earlier ones. Commas separate the paths of one text, because a variable has one value only. */
export function addPaths(text: string, before: readonly string[]): readonly string[] {
  const paths = text.split(',').map((path) => path.trim())
  if (paths.includes('') || text.includes('\0')) throw new InvalidArgumentError('A path is missing.')
  return [...before, ...paths]
}
