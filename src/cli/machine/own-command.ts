/** The command by which a user of this machine runs Tidegate again, in a shell of the same folder. */

import { basename, delimiter, dirname, relative } from 'node:path'
import { shellWord } from '../terminal/shell-word.ts'

interface Started {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The file that Node runs, as the caller has named it. */
  readonly file: string | undefined
  readonly folder: string
}

/** The arguments are for tests. */
export function ownCommand(
  { env, file, folder }: Started = { env: process.env, file: process.argv[1], folder: process.cwd() },
): string {
  if (file === undefined) return 'npx tidegate'
  const isOfNpm = env['npm_lifecycle_event'] !== undefined
  // Npx asks the registry for the command of another folder's package.
  if (isOfNpm && !relative(folder, file).startsWith('..')) return 'npx tidegate'
  const isProgram = basename(file) === 'tidegate'
  // Npm puts the folder of the command on the PATH of this process alone.
  if (isProgram && !isOfNpm && (env['PATH'] ?? '').split(delimiter).includes(dirname(file))) return 'tidegate'
  const inFolder = relative(folder, file)
  const path = shellWord(inFolder.startsWith('..') ? file : isProgram ? `./${inFolder}` : inFolder)
  return isProgram ? path : `node ${path}`
}
