/** How a command that does one job ends: with an exit code, and with one line for a failure that the user can mend. */

import { userInfo } from 'node:os'
import { isHBaseError } from '../../model/errors.ts'
import { plainMessage } from '../../model/plain-message.ts'
import { absentServerText } from './absent-server.ts'
import { isEndingBySignal } from './at-end.ts'
import { endProgress } from './command-progress.ts'
import { printProgress } from './print-lines.ts'

export const EXIT_FINE = 0
const EXIT_CANNOT = 2

/** Runs a tool and sets the exit code that it returns. An error that the user can mend is printed as one line, with exit code 2. */
export async function runTool(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work()
  } catch (error) {
    // Its work at the end pulls away what the command stands on.
    if (isEndingBySignal()) return
    endProgress()
    printProgress(`tidegate: ${refusalText(error)}`)
    process.exitCode = EXIT_CANNOT
  }
}

function refusalText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (isHBaseError(error)) return absentServerText(error) ?? plainMessage(error)
  if (error instanceof TypeError) return error.stack ?? error.message
  const { code, path } = error as NodeJS.ErrnoException
  if (path === undefined) return error.message
  if (code === 'EEXIST') return `${path} is there already: name another file, or remove it`
  if (code === 'ENOENT') return `${path} is not there`
  if (code === 'EACCES' || code === 'EPERM')
    return `${path}: this user (${userInfo().username}) may not read or write it: run the command as the server's user, or give this user the right`
  return error.message
}
