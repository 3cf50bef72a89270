/** The module that the package's name leads to: it loads the joined modules (`tools/bundle.js`), or the modules where the build has joined none. */

import { loadLibrary } from '../cli/machine/joined-modules.ts'
import type { Tidegate, TidegateOptions } from './start-tidegate.ts'

type Library = Pick<typeof import('./start-tidegate.ts'), 'startTidegate'>

/** All servers of a process share the modules, so they are loaded once. */
let loaded: Library | undefined

export async function startTidegate(options?: TidegateOptions): Promise<Tidegate> {
  loaded ??= (loadLibrary() as Library | undefined) ?? (await import('./start-tidegate.ts'))
  return await loaded.startTidegate(options)
}
