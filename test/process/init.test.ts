/** The server as a container's init: process 1 has no default action of a signal, and no parent that takes its children. */

import { spawn, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { own } from '../harness/processes/owned-children.ts'
import { FREE_PORTS, inTemporaryFolder, MAIN } from '../harness/tidegate-process.ts'

const NAMESPACE = ['--pid', '--fork', '--mount-proc', '--kill-child']
const mayUnshare = spawnSync('unshare', [...NAMESPACE, 'true']).status === 0

test.runIf(mayUnshare).each(['SIGTERM', 'SIGINT'] as const)(
  'as process 1 of its own namespace it ends with 0 on %s, within 10 s',
  (signal) =>
    inTemporaryFolder(async (folder) => {
      const serve = [process.execPath, MAIN, 'serve', '--store', `native:${folder}/data`, ...FREE_PORTS]
      const child = spawn('unshare', [...NAMESPACE, ...serve], { stdio: ['ignore', 'pipe', 'pipe'] })
      own(child)
      let log = ''
      child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
      await new Promise((resolve) => child.stdout.once('data', resolve))
      await expect.poll(() => log).toContain('"pid":1,')
      const ends = new Promise((resolve) => child.once('close', resolve))
      const since = performance.now()
      // unshare waits for its only child, which is the server.
      const inits = spawnSync('ps', ['-o', 'pid=', '--ppid', String(child.pid)], { encoding: 'utf8' })
      process.kill(Number(inits.stdout.trim()), signal)
      expect(await ends).toBe(0)
      expect(performance.now() - since).toBeLessThan(10_000)
      expect(log).toContain(`stopped, because of ${signal}`)
    }),
)
