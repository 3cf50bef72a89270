#!/usr/bin/env node
/**
 * The start of the process. Node opens the files of all modules at once. If the limit of open files forbids that, Node ends with a stack of
 * its own. So this file loads the command only after a look at the limit.
 */

import { openFilesFault, openFilesRefusal } from './machine/open-files.ts'

/** The exit code of a wrong flag. */
const EXIT_USAGE = 2

// Node's own answer to this signal opens its debugger on a port of the loopback, to everybody on the machine.
process.on('SIGUSR1', () => undefined)

async function main(): Promise<string | undefined> {
  const fault = openFilesFault()
  if (fault !== undefined) return fault
  try {
    const { runProgram } = await import('./program.ts')
    await runProgram()
    return undefined
  } catch (error) {
    const refusal = openFilesRefusal(error)
    if (refusal === undefined) throw error
    return refusal
  }
}

const fault = await main()
if (fault !== undefined) {
  process.stderr.write(`tidegate: ${fault}\n`)
  process.exitCode = EXIT_USAGE
}
