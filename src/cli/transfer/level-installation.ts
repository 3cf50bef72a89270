import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LEVEL_PACKAGE, levelLibrary } from '../../doors/timeline/import/level-library.ts'
import { messageOf } from '../../model/message-of.ts'
import { packageRoot } from '../../package-root.ts'
import { StartError } from '../failures/start-error.ts'

/** The version that Tidegate's tests run with. */
export const LEVEL_VERSION = '3.0.0'

/** Throws a StartError with the command that installs LevelDB for Node where it is absent or does not load. `load` is for tests. */
export function requireLevelLibrary(load?: (name: string) => unknown): void {
  try {
    levelLibrary(load)
  } catch (error) {
    const command = installCommand(fileURLToPath(packageRoot()))
    throw new StartError(`${messageOf(error)}: run \`${command}\``, { cause: error })
  }
}

/** The command that installs the library where the Tidegate in the folder `root` finds it. */
export function installCommand(root: string): string {
  const wanted = `${LEVEL_PACKAGE}@${LEVEL_VERSION}`
  const folder = root.replace(/[\\/]+$/, '')
  const modules = dirname(folder)
  if (basename(modules) !== 'node_modules') return `npm install --no-save --prefix "${folder}" ${wanted}`
  const project = dirname(modules)
  if (existsSync(join(project, 'package.json'))) return `npm install --prefix "${project}" ${wanted}`
  // Npm keeps packages for all projects in PREFIX/lib/node_modules, and on Windows in PREFIX/node_modules.
  const prefix = basename(project) === 'lib' ? dirname(project) : project
  return `npm install --global --prefix "${prefix}" ${wanted}`
}
