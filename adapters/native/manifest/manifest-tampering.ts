import type { FileSystem } from '../platform/file-system.ts'
import type { LostAndFound } from '../platform/lost-and-found.ts'
import { isNotPlain } from '../platform/not-plain.ts'

/** The change that another program has made to a file that is to have so many bytes; undefined where there is none. */
export function tamperingOf(fileSystem: FileSystem, path: string, expectedBytes: number): string | undefined {
  if (!fileSystem.exists(path)) return `${path} is gone`
  let bytes: number
  try {
    bytes = sizeOf(fileSystem, path)
  } catch (error) {
    if (isNotPlain(error)) return `${path} is not a file any more`
    throw error
  }
  return bytes === expectedBytes ? undefined : `${path} has ${bytes} bytes in the place of ${expectedBytes}`
}

/** Keeps the changed files for a person to look at. */
export function keepTampered(
  fileSystem: FileSystem,
  paths: readonly string[],
  expectedBytes: number,
  lost: LostAndFound,
): void {
  for (const path of paths)
    if (fileSystem.exists(path) && tamperingOf(fileSystem, path, expectedBytes) !== undefined)
      lost.setAside(path, 'another program has changed it')
}

function sizeOf(fileSystem: FileSystem, path: string): number {
  const file = fileSystem.open(path, 'read')
  try {
    return file.size()
  } finally {
    file.close()
  }
}
