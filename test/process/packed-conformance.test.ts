/** The package of the conformance suite as npm would publish it, beside the server's and by itself. */

import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { ChildServer } from '../harness/child-server.ts'
import { install, type PackedPackage, pack } from '../harness/packed-packages.ts'
import { FREE_PORTS, makeTemporaryFolder } from '../harness/tidegate-process.ts'

const ROOT = fileURLToPath(packageRoot())
const SUITE = 'tidegate-conformance'
/** Cases of REST, of Thrift 2 with its description of the service, and of native RPC; some differ on purpose. */
const ONLY = '^(?:rest-spelled-version|thrift2-malformed|rpc-get-row)'
const execute = promisify(execFile)

/** Has both packages. */
let folder: string
let suite: PackedPackage
let server: ChildServer
/** The flags that name the server. */
let target: readonly string[]

beforeAll(async () => {
  folder = makeTemporaryFolder()
  suite = pack(folder, SUITE)
  install(folder, pack(folder), suite)
  const main = join(folder, 'node_modules/tidegate/dist/src/cli/main.js')
  server = await ChildServer.start(main, [
    'serve',
    '--store',
    'memory',
    ...FREE_PORTS,
    '--log-level',
    'error',
  ])
  const at = (door: string): string => `127.0.0.1:${server.port(door)}`
  target = ['--rest', `http://${at('rest')}`, '--thrift', at('thrift'), '--rpc', at('rpc')]
}, 180_000)

afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The output of an installed command, as a user of the folder runs it. */
async function npx(where: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await execute('npx', ['--offline', '--', ...args], { cwd: where })
  return stdout
}

test('it has code, recordings and lists of cases, and nothing else', () => {
  const { files, name } = suite
  expect(name).toBe(SUITE)
  expect(
    files.filter((file) => !/^(?:dist\/[\w-]+\.js|recordings\/[a-z0-9-]+\.txt)$/.test(file)).sort(),
  ).toEqual([
    'LICENSE',
    'NOTICE',
    'README.md',
    'dist/LICENSES.txt',
    'dist/idl/thrift1.thrift',
    'dist/idl/thrift2.thrift',
    'ledger.json',
    'package.json',
    'timeline-differences.json',
    'undecided.json',
  ])
  expect(readFileSync(join(ROOT, 'conformance/LICENSE'), 'utf8')).toBe(
    readFileSync(join(ROOT, 'LICENSE'), 'utf8'),
  )
})

test('it has the version of the server, whose differences its ledger lists', () => {
  const [own, other] = ['conformance/package.json', 'package.json'].map(
    (file) => (JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as { version: string }).version,
  )
  expect(own).toBe(other)
})

test('publint finds nothing to say', async () => {
  const data = readFileSync(suite.tarball)
  const buffer = data.buffer.slice(data.byteOffset, data.byteOffset + data.length)
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true })
  expect(messages.map((message) => formatMessage(message, pkg ?? {}))).toEqual([])
})

test('tidegate conformance finds it beside the server, and asks its cases', {
  timeout: 120_000,
}, async () => {
  expect(await npx(folder, 'tidegate', 'conformance', '--help')).toContain('--only <pattern>')
  const output = await npx(folder, 'tidegate', 'conformance', ...target, '--only', ONLY)
  expect(output).toMatch(/^[1-9]\d* differ on purpose.*\n[1-9]\d* passed, 0 failed\n$/)
})

test('its own command needs no other package', { timeout: 120_000 }, async () => {
  const alone = makeTemporaryFolder()
  try {
    install(alone, suite)
    rmSync(join(alone, 'node_modules/commander'))
    rmSync(join(alone, 'node_modules/@bufbuild'), { recursive: true })
    expect(await npx(alone, SUITE, '--help')).toContain('--only <pattern>')
    expect(await npx(alone, SUITE, ...target, '--only', ONLY)).toMatch(/\n[1-9]\d* passed, 0 failed\n$/)
    await expect(npx(alone, SUITE)).rejects.toMatchObject({ code: 2 })
  } finally {
    rmSync(alone, { recursive: true, force: true })
  }
})
