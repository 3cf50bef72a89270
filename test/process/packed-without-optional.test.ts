/** The package as `npm install --omit=optional` leaves it: without the native builds of its dependencies. */

import { execFile } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installWithoutOptional, pack } from '../harness/packed-packages.ts'
import { makeTemporaryFolder } from '../harness/tidegate-process.ts'

const execute = promisify(execFile)
const MAIN = 'node_modules/tidegate/dist/src/cli/main.js'

let folder: string

beforeAll(() => {
  folder = makeTemporaryFolder()
  installWithoutOptional(folder, pack(folder))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Writes a row, starts again, and reads it: from the log, then from a store file. */
const USE = `
import { startTidegate } from 'tidegate'

const options = { store: 'native:data', rpc: 'off', logLevel: 'warn' }
const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
const answers = []
const ask = async ({ ports }, path, init) => {
  const answer = await fetch('http://127.0.0.1:' + ports.rest + path, { headers, ...init })
  answers.push(answer.status)
  return answer.text()
}
let server = await startTidegate(options)
for (const codec of ['GZ', 'SNAPPY', 'LZ4', 'ZSTD']) {
  const body = JSON.stringify({ ColumnSchema: [{ name: 'f', COMPRESSION: codec }] })
  const text = await ask(server, '/' + codec + '/schema', { method: 'PUT', body })
  if (text !== '') answers.push(text)
}
const text = 'some text '.repeat(1000)
const cell = { column: Buffer.from('f:q').toString('base64'), $: Buffer.from(text).toString('base64') }
const row = { key: Buffer.from('r').toString('base64'), Cell: [cell] }
await ask(server, '/GZ/r', { method: 'PUT', body: JSON.stringify({ Row: [row] }) })
for (let starts = 0; starts < 2; starts++) {
  await server.stop()
  server = await startTidegate(options)
  const read = await fetch('http://127.0.0.1:' + server.ports.rest + '/GZ/r/f:q', { headers: { Accept: 'application/octet-stream', 'Accept-Encoding': 'gzip' } })
  answers.push(await read.text() === text)
}
await server.stop()
console.log(JSON.stringify(answers))
`

const refusal = (codec: string): unknown =>
  expect.stringMatching(
    new RegExp(`ClassNotFoundException: \\S+ \\(Tidegate's package for ${codec} .*npm install`),
  )

test('serves its own store, with slow checksums, and refuses compressions that have no build', {
  timeout: 90_000,
}, async () => {
  expect(existsSync(join(folder, 'node_modules/@node-rs/crc32'))).toBe(true)
  expect(existsSync(join(folder, 'node_modules/@node-rs/crc32-linux-x64-gnu'))).toBe(false)
  writeFileSync(join(folder, 'use.mjs'), USE)
  const { stdout, stderr } = await execute(process.execPath, [join(folder, 'use.mjs')], { cwd: folder })
  expect(JSON.parse(stdout)).toEqual([201, 503, refusal('SNAPPY'), 503, refusal('LZ4'), 201, 200, true, true])
  const slow = stderr.split('\n').filter((line) => line.includes('@node-rs/crc32 has no build here'))
  expect(slow).toHaveLength(3)
})

test('its commands start, and one that needs Kerberos names the command that installs koffi in a line', async () => {
  const { stdout } = await execute(process.execPath, [join(folder, MAIN), '--version'], { cwd: folder })
  expect(stdout).toMatch(/^\d+\.\d+\.\d+/)
  const args = [MAIN, 'serve', '--store', 'hbase:127.0.0.1:1', '--cluster-authentication', 'kerberos']
  await expect(execute(process.execPath, args, { cwd: folder })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^tidegate: Kerberos: the package koffi, [^\n]* run `npm install --include=optional` [^\n]*\n$/,
    ),
  })
  const shell = [MAIN, 'shell', '--address', 'thrift:127.0.0.1:1', '-n', '-e', 'list']
  await expect(execute(process.execPath, shell, { cwd: folder })).rejects.toMatchObject({
    stdout: expect.stringMatching(/ECONNREFUSED|127\.0\.0\.1:1/),
  })
})
