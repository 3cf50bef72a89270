/** LevelDB for Node, which an installation of Tidegate does not bring: imports of a timeline alone need it, and it is 7 MB with its own dependencies. */

import { createRequire } from 'node:module'
import type { ClassicLevel } from 'classic-level'

export const LEVEL_PACKAGE = 'classic-level'

interface LevelLibrary {
  readonly ClassicLevel: typeof ClassicLevel
}

/** Throws an Error where the library is absent or does not load. `load` is for tests. */
export function levelLibrary(load: (name: string) => unknown = createRequire(import.meta.url)): LevelLibrary {
  try {
    return load(LEVEL_PACKAGE) as LevelLibrary
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND'
    const reason = isAbsent ? 'is not installed' : `does not load (${firstLine(error)})`
    throw new Error(
      `the package ${LEVEL_PACKAGE}, which reads the LevelDB files of a timeline server, ${reason}`,
      {
        cause: error,
      },
    )
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!
}
