/** A server whose terminal has gone: a line that it can write nowhere keeps it from nothing. */

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { HAS_TERMINALS, onTerminal } from '../harness/processes/program-on-terminal.ts'
import { inTemporaryFolder } from '../harness/tidegate-process.ts'

const LOG = new URL('dist/src/cli/logs/server-log.js', packageRoot()).href

/** Ends as a server does after a bug, at the signal that comes with the end of the terminal. */
const PROGRAM = `
import { writeFileSync } from 'node:fs'
import { serverLog } from '${LOG}'

const logger = serverLog('info')
process.on('SIGHUP', () => {
  logger.fatal('a bug')
  writeFileSync('ended', '')
  process.exit(1)
})
setInterval(() => undefined, 1000)
console.log('ready')
`

test.runIf(HAS_TERMINALS)('a fatal line does not hold up the end of its process', () =>
  inTemporaryFolder(async (folder) => {
    writeFileSync(join(folder, 'program.mjs'), PROGRAM)
    const { child, pid, kill } = onTerminal(`"${process.execPath}" program.mjs`, folder)
    onTestFinished(kill)
    let text = ''
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        if (text.includes('ready')) resolve()
      })
    })
    child.kill('SIGKILL')
    try {
      await vi.waitFor(() => expect(existsSync(join(folder, 'ended'))).toBe(true), 20_000)
    } catch (error) {
      process.kill(pid()!, 'SIGKILL')
      throw error
    }
  }),
)
