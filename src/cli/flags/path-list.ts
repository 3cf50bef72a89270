import { InvalidArgumentError } from 'commander'

/** Adds the paths to those before. Several paths of one text stand between commas: a variable has but one value. */
export function addPaths(text: string, before: readonly string[] = []): readonly string[] {
  const paths = text.split(',').map((path) => path.trim())
  if (paths.includes('') || text.includes('\0')) throw new InvalidArgumentError('A path is missing.')
  return [...before, ...paths]
}
