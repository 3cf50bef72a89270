/** The package as npm would publish it: what is in it, and other projects that use it. */

import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { install, pack } from '../harness/packed-packages.ts'
import { makeTemporaryFolder } from '../harness/tidegate-process.ts'

const ROOT = fileURLToPath(packageRoot())
const execute = promisify(execFile)

/** By its file: Vitest runs Node with the condition `development`, under which the package's name leads to its sources in TypeScript. */
const ANALYSER = new URL('node_modules/@arethetypeswrong/core/dist/index.js', packageRoot()).href
const { checkPackage, createPackageFromTarballData } = (await import(
  ANALYSER
)) as typeof import('@arethetypeswrong/core')

let folder: string
let tarball: string
let files: readonly string[]
let unpackedBytes: number

beforeAll(() => {
  folder = makeTemporaryFolder()
  const packed = pack(folder)
  ;({ tarball, files, unpackedBytes } = packed)
  install(folder, packed)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a program of another project with Node: what it prints. It must end by itself. */
async function run(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await execute(process.execPath, [join(folder, program), ...args], { cwd: folder })
  return stdout
}

test.concurrent('it has joined code, the console, types of the library, IDL, manifests and documents, and nothing else', () => {
  const kinds = files.filter(
    (file) =>
      !/^(?:dist\/bundle\/[^/]*\.cjs|dist\/bundle\/threads\/.*\.js|deploy\/.*|docs\/grafana\/.*\.json|console\/[a-z-]+\.(?:html|css|js|svg)|idl\/.*|docs\/[a-z-]+\.md)$/i.test(
        file,
      ),
  )
  expect(kinds.sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'NOTICE',
    'README.md',
    'demo/cities.br',
    'dist/bundle/LICENSES.txt',
    // The way into the joined modules.
    'dist/src/cli/machine/joined-modules.js',
    'dist/src/cli/machine/open-files.js',
    'dist/src/cli/machine/v8-flags.js',
    'dist/src/cli/main.js',
    'dist/src/library/start-tidegate.d.ts',
    'dist/src/library/tidegate.js',
    'package.json',
  ])
  const pages = readdirSync(join(ROOT, 'console')).filter((name) => name !== 'tsconfig.json')
  expect(files.filter((file) => file.startsWith('console/')).sort()).toEqual(
    pages.map((name) => `console/${name}`).sort(),
  )
  expect(unpackedBytes).toBeLessThan(7_000_000)
})

test.concurrent('publint finds nothing to say', async () => {
  const data = readFileSync(tarball)
  const buffer = data.buffer.slice(data.byteOffset, data.byteOffset + data.length)
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true })
  expect(messages.map((message) => formatMessage(message, pkg ?? {}))).toEqual([])
})

test.concurrent('its types resolve for every kind of ESM project', async () => {
  const analysis = await checkPackage(createPackageFromTarballData(readFileSync(tarball)))
  if (!analysis.types) throw new Error('the package has no types')
  // It is ESM only, as its engines have had for long: neither Node 10 nor `require` of old can load it.
  const modern = analysis.problems.filter(
    (problem) => !('resolutionKind' in problem) || !['node10', 'node16-cjs'].includes(problem.resolutionKind),
  )
  expect(modern).toEqual([])
  expect(Object.keys(analysis.entrypoints)).toContain('.')
})

const USE = `
import { existsSync } from 'node:fs'
import { startTidegate } from 'tidegate'

const first = await startTidegate()
const second = await startTidegate({ store: 'native:data', web: 0 })
const table = (port) => \`http://127.0.0.1:\${port}/t/schema\`
const headers = { 'content-type': 'application/json', accept: 'application/json' }
const body = '{"name":"t","ColumnSchema":[{"name":"f"}]}'
const statuses = [(await fetch(table(second.ports.rest), { method: 'PUT', headers, body })).status]
for (const { ports } of [first, second]) statuses.push((await fetch(table(ports.rest), { headers })).status)
const held = existsSync('data/LOCK')
await Promise.all([first.stop(), second.stop(), second.stop()])
const again = await startTidegate({ store: 'native:data', rest: second.ports.rest, thrift: second.ports.thrift })
statuses.push((await fetch(table(again.ports.rest), { headers })).status)
await again.stop()
console.log(JSON.stringify({ statuses, held, free: !existsSync('data/LOCK'), doors: Object.keys(second.ports) }))
`

test.concurrent('an ESM project starts two servers in its process, stops them, and has ports, folder and data again', {
  timeout: 60_000,
}, async () => {
  writeFileSync(join(folder, 'use.mjs'), USE)
  expect(JSON.parse(await run('use.mjs'))).toEqual({
    statuses: [201, 404, 200, 200],
    held: true,
    free: true,
    doors: ['rest', 'thrift', 'web'],
  })
})

/** What a compressed table is flushed and compacted by: threads, whose program must be found. Standard error has what went wrong. */
const THREADS = `
import { startTidegate } from 'tidegate'

const store = 'native:threads'
const define = ['hbase.hregion.memstore.flush.size=100000', 'hbase.hregion.memstore.flush.size.limit=1', 'hbase.hstore.compaction.min=2']
const first = await startTidegate({ store, define, logLevel: 'error', web: 0 })
const rest = \`http://127.0.0.1:\${first.ports.rest}/t\`
const headers = { 'Content-Type': 'application/json' }
await fetch(rest + '/schema', { method: 'PUT', headers, body: '{"ColumnSchema":[{"name":"f","COMPRESSION":"GZ"}]}' })
const value = Buffer.alloc(10_000, 'some text ').toString('base64')
const cell = [{ column: Buffer.from('f:q').toString('base64'), $: value }]
const done = async () => {
  const text = await (await fetch(\`http://127.0.0.1:\${first.ports.web}/metrics\`)).text()
  return Number(/^tidegate_native_compactions_total (\\d+)/m.exec(text)[1]) > 0
}
let rows = 0
for (; rows < 10_000 && !(await done()); rows++) {
  const key = Buffer.from(String(rows)).toString('base64')
  const put = await fetch(rest + '/x', { method: 'PUT', headers, body: JSON.stringify({ Row: [{ key, Cell: cell }] }) })
  const reason = await put.text()
  // The flush may be slower than the writer, which tries again then.
  if (put.status === 503) rows--
  else if (!put.ok) throw new Error(reason)
}
await first.stop()
const second = await startTidegate({ store, logLevel: 'error' })
const found = await fetch(\`http://127.0.0.1:\${second.ports.rest}/t/*\`, { headers: { Accept: 'application/json' } })
console.log((await found.json()).Row.length - rows)
await second.stop()
`

test.concurrent('a store in its process flushes and compacts in threads, and keeps the process from nothing', {
  timeout: 60_000,
}, async () => {
  writeFileSync(join(folder, 'threads.mjs'), THREADS)
  const { stdout, stderr } = await execute(process.execPath, [join(folder, 'threads.mjs')], { cwd: folder })
  expect({ stdout, stderr }).toEqual({ stdout: '0\n', stderr: '' })
})

test.concurrent.each(['README.md', 'docs/library.md'])(
  'the example of %s runs as it stands',
  { timeout: 60_000 },
  async (document) => {
    const blocks = readFileSync(join(ROOT, document), 'utf8').matchAll(/```js\n([\s\S]*?)```/g)
    const [example] = [...blocks].map((block) => block[1]!).filter((text) => text.includes('startTidegate'))
    writeFileSync(join(folder, 'example.mjs'), example!)
    expect(await run('example.mjs')).toMatch(/^\d+(?: \d+)?\n$/)
  },
)

/** The compiler then expects an error in the next line. In one piece it would be one of this file's. */
const REFUSED = ['@ts', 'expect-error'].join('-')

const TYPED = `
import { startTidegate, type Tidegate, type TidegateOptions } from 'tidegate'

const options: TidegateOptions = { rest: 0, thrift: 'off', batchMax: 10 }
const server: Tidegate = await startTidegate(options)
const port: number | undefined = server.ports.rest
console.log(typeof port, server.ports.thrift, server.host)
await server.stop()
// ${REFUSED} a port is a number, or off
await startTidegate({ rest: 'on' }).catch((error: Error) => console.log(error.message))
`

test.concurrent('a TypeScript project compiles against its types and runs', { timeout: 60_000 }, async () => {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    exactOptionalPropertyTypes: true,
  }
  const settings = {
    compilerOptions: { ...compilerOptions, types: [], lib: ['es2023', 'dom'] },
    files: ['typed.mts'],
  }
  writeFileSync(join(folder, 'typed.mts'), TYPED)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  await execute(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder])
  const [types, refusal] = (await run('typed.mjs')).trim().split('\n')
  expect(types).toBe('number undefined 127.0.0.1')
  expect(refusal).toContain("option 'rest' argument 'on' is invalid")
})

test.concurrent('its command prints its version, and which package the conformance suite is', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const main = 'node_modules/tidegate/dist/src/cli/main.js'
  expect(await run(main, '--version')).toBe(`${version}\n`)
  await expect(run(main, 'conformance', '--timeline', 'http://127.0.0.1:1')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^tidegate: .* is not installed: npm install tidegate-conformance@\S+\n$/),
  })
})

test.concurrent('an import of a timeline names the command that installs its library, and leaves no store', async () => {
  const main = 'node_modules/tidegate/dist/src/cli/main.js'
  await expect(run(main, 'import-timeline', '.', '--store', 'native:imported')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^tidegate: the package classic-level, [^\n]* is not installed: run `npm install [^\n]*classic-level@3\.0\.0`\n$/,
    ),
  })
  expect(existsSync(join(folder, 'imported'))).toBe(false)
})
