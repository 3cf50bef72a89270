/** A server whose package is removed, or replaced by an upgrade, while it runs: it stops in order, and its data are whole. */

import { execFile } from 'node:child_process'
import { existsSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { ChildServer } from '../harness/child-server.ts'
import { install, type PackedPackage, pack } from '../harness/packed-packages.ts'
import { FREE_PORTS, MAIN, makeTemporaryFolder } from '../harness/tidegate-process.ts'

let folder: string
let log: string

let packFolder: string
let packed: PackedPackage

beforeAll(() => {
  packFolder = makeTemporaryFolder()
  packed = pack(packFolder)
})
beforeEach(() => {
  folder = makeTemporaryFolder()
  log = join(folder, 'log')
  install(folder, packed)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
afterAll(() => rmSync(packFolder, { recursive: true, force: true }))

function installedMain(): string {
  return join(folder, 'node_modules/tidegate/dist/src/cli/main.js')
}

function startInstalled(...flags: readonly string[]): Promise<ChildServer> {
  return ChildServer.start(installedMain(), ['serve', ...flags, ...FREE_PORTS], openSync(log, 'a'))
}

/** Other packages are links. */
function removePackages(): void {
  rmSync(join(folder, 'node_modules'), { recursive: true })
}

const loggedMessages = (): string[] =>
  readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg)

const JSON_HEADERS = { 'content-type': 'application/json' }
const BYTES = { 'content-type': 'application/octet-stream', accept: 'application/octet-stream' }

/** Flushes of compressed families are the work of threads, whose program is gone. */
test.each(['NONE', 'GZ', 'SNAPPY'])(
  'a store of compression %s is stopped, and has its rows',
  {
    timeout: 120_000,
  },
  async (codec) => {
    const store = ['--store', `native:${join(folder, 'data')}`]
    let server = await startInstalled(...store)
    const url = (path: string): string => `http://127.0.0.1:${server.port('rest')}/t/${path}`
    const family = { name: 'f', COMPRESSION: codec }
    const body = JSON.stringify({ ColumnSchema: [family] })
    expect((await fetch(url('schema'), { method: 'PUT', headers: JSON_HEADERS, body })).status).toBe(201)
    const put = (row: string): Promise<Response> =>
      fetch(url(`${row}/f:q`), { method: 'PUT', headers: BYTES, body: row })
    expect((await put('before')).status).toBe(200)
    removePackages()
    expect((await put('after')).status).toBe(200)
    expect(await server.stop()).toBe(0)
    expect(loggedMessages().at(-1)).toBe('stopped, because of SIGTERM')
    expect(existsSync(join(folder, 'data/LOCK'))).toBe(false)
    server = await ChildServer.start(MAIN, ['serve', ...store, ...FREE_PORTS, '--log-level', 'warn'])
    for (const row of ['before', 'after'])
      expect(await (await fetch(url(`${row}/f:q`), { headers: BYTES })).text()).toBe(row)
    expect(await server.stop()).toBe(0)
  },
)

test('several processes are stopped', async () => {
  const server = await startInstalled('--store', 'hbase:127.0.0.1:1', '--processes', '2')
  removePackages()
  expect(await server.stop()).toBe(0)
  expect(loggedMessages().at(-1)).toBe('stopped, because of SIGTERM')
})

test('a demo without its cities says so, and ends', async () => {
  rmSync(join(folder, 'node_modules/tidegate/demo/cities.br'))
  const args = [installedMain(), 'demo', ...FREE_PORTS]
  const ended = promisify(execFile)(process.execPath, args, { env: { ...process.env, TMPDIR: folder } })
  await expect(ended).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^tidegate: the cities could not be loaded: [^\n]*cities\.br[^\n]*\n$/m),
  })
  expect(readdirSync(folder).filter((name) => name.startsWith('tidegate-demo-'))).toEqual([])
})
