/** The executable of `npm run build:executable`: a machine needs no Node, and no package, to run it. */

import { execFile } from 'node:child_process'
import { copyFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { ChildServer } from '../harness/child-server.ts'
import { FREE_PORTS, makeTemporaryFolder } from '../harness/tidegate-process.ts'

const execute = promisify(execFile)
const TOOL = fileURLToPath(new URL('dist/tools/executable.js', packageRoot()))
const BYTES_MAX = 120_000_000

let folder: string
let tidegate: string
let environment: Readonly<Record<string, string>>

/** Other systems sign their programs, or have another format. */
async function run(...args: readonly string[]): Promise<string> {
  return (await execute(tidegate, args, { cwd: folder, env: environment })).stdout
}

describe.runIf(process.platform === 'linux')('the executable', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    folder = makeTemporaryFolder()
    tidegate = join(folder, 'tidegate')
    environment = { XDG_CACHE_HOME: join(folder, 'cache'), PATH: '/usr/bin:/bin' }
    await execute(process.execPath, [TOOL, tidegate])
  }, 400_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('is one file of less than 120 MB that prints its version', async () => {
    expect(statSync(tidegate).size).toBeLessThan(BYTES_MAX)
    expect(await run('--version')).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  test('serves from another folder, compresses by its native add-ons, and has the shell and the console', async () => {
    const moved = join(folder, 'moved')
    copyFileSync(tidegate, moved)
    const script = `cd '${folder}' && exec '${moved}' serve ${FREE_PORTS.join(' ')} --log-level warn`
    const server = await ChildServer.startProgram('sh', ['-c', script], { environment })
    try {
      const address = `rpc:127.0.0.1:${server.port('rpc')}`
      const commands = [
        "create 't', {NAME => 'f', COMPRESSION => 'SNAPPY'}",
        "put 't', 'r', 'f:q', 'v'",
        "flush 't'",
        "scan 't'",
      ]
      const shell = await run(
        'shell',
        '--address',
        address,
        '-n',
        ...commands.flatMap((line) => ['-e', line]),
      )
      expect(shell).toContain('value=v')
      const console = await fetch(`http://127.0.0.1:${server.port('web')}/console/`)
      expect(await console.text()).toContain('<title>')
    } finally {
      expect(await server.stop()).toBe(0)
    }
  })

  test('serves by several processes', async () => {
    const args = ['serve', '--store', 'hbase:127.0.0.1:1', '--processes', '2', ...FREE_PORTS]
    const server = await ChildServer.startProgram(tidegate, [...args, '--log-level', 'silent'], {
      environment,
    })
    const version = await fetch(`http://127.0.0.1:${server.port('rest')}/version/rest`)
    expect(version.status).toBe(200)
    expect(await server.stop()).toBe(0)
  })
})
