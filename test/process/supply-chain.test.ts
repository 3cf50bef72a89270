/** What a server needs beside its own code: no network, no scripts at the installation, and a list of its parts. */

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { own } from '../harness/processes/owned-children.ts'
import { FREE_PORTS, inTemporaryFolder, MAIN } from '../harness/tidegate-process.ts'

interface Component {
  readonly name: string
  readonly version: string
  readonly licenses?: readonly unknown[]
  readonly hashes?: readonly unknown[]
}

/** Starts a server with these flags of Node and variables, uses each part of it, and stops it: its exit code and its log. */
async function used(
  folder: string,
  nodeArgs: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: unknown; readonly log: string; readonly read: string }> {
  const args = [...nodeArgs, MAIN, 'serve', '--store', `native:${join(folder, 'data')}`, ...FREE_PORTS]
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env } })
  own(child)
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const ended = new Promise((end) => child.once('close', end))
  const ready = await Promise.race([
    new Promise<string>((tell) => child.stdout.once('data', (chunk: Buffer) => tell(chunk.toString()))),
    ended.then(() => ''),
  ])
  let read = ''
  const port = /rest=127\.0\.0\.1:(\d+)/.exec(ready)?.[1]
  if (port !== undefined) {
    const url = `http://127.0.0.1:${port}/t`
    const families = ['NONE', 'GZ', 'SNAPPY', 'LZ4', 'ZSTD'].map((compression, i) => ({
      name: `f${i}`,
      COMPRESSION: compression,
    }))
    const json = { 'content-type': 'application/json' }
    const octets = { 'content-type': 'application/octet-stream', accept: 'application/octet-stream' }
    await fetch(`${url}/schema`, {
      method: 'PUT',
      headers: json,
      body: JSON.stringify({ ColumnSchema: families }),
    })
    for (const { name, COMPRESSION } of families) {
      const put = { method: 'PUT', headers: octets, body: COMPRESSION }
      await fetch(`${url}/r/${name}:q`, put)
      read += await (await fetch(`${url}/r/${name}:q`, { headers: octets })).text()
    }
    const web = /web=127\.0\.0\.1:(\d+)/.exec(ready)?.[1]
    await (await fetch(`http://127.0.0.1:${web}/metrics`)).text()
  }
  // The stop flushes: files of each compression are written.
  child.kill('SIGTERM')
  return { code: await ended, log, read }
}

const ALL_READ = 'NONEGZSNAPPYLZ4ZSTD'
const GUARD = resolve('test/harness/no-network.cjs')

test('a server of the embedded engine opens no connection and asks no name', { timeout: 60_000 }, () =>
  inTemporaryFolder(async (folder) => {
    const { code, log, read } = await used(folder, ['--require', GUARD], {})
    expect(log).not.toContain('network:')
    expect({ code, read }).toEqual({ code: 0, read: ALL_READ })
  }),
)

test('the guard of that test sees a connection and a question', async () => {
  const programs = [
    `import net from 'node:net'; net.connect(1, '127.0.0.1')`,
    `import { lookup } from 'node:dns'; lookup('example.org', () => {})`,
    `import { Worker } from 'node:worker_threads'; new Worker("require('node:net').connect(1)", { eval: true })`,
    `await fetch('http://127.0.0.1:1')`,
  ]
  await inTemporaryFolder(async (folder) => {
    for (const [i, program] of programs.entries()) {
      const file = join(folder, `p${i}.mjs`)
      writeFileSync(file, program)
      const { stderr } = spawnSync(process.execPath, ['--require', GUARD, file], { encoding: 'utf8' })
      expect(stderr).toContain('network:')
    }
  })
})

test('no part of an installation needs its install script', { timeout: 60_000 }, async () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    readonly packages: Readonly<
      Record<
        string,
        { readonly dev?: boolean; readonly optional?: boolean; readonly hasInstallScript?: boolean }
      >
    >
  }
  const scripted = Object.entries(packages).filter(
    ([, { dev, hasInstallScript }]) => hasInstallScript === true && dev !== true,
  )
  expect(scripted.map(([path, { optional }]) => [path, optional])).toEqual([
    ['node_modules/koffi', true],
    ['node_modules/msgpackr-extract', true],
  ])
  // The script of koffi, for Kerberos alone, does nothing where npm has its build.
  // The other's script compiles what the package brings built for usual machines. Without either msgpackr does its work in JavaScript.
  await inTemporaryFolder(async (folder) => {
    const without = { MSGPACKR_NATIVE_ACCELERATION_DISABLED: 'true' }
    expect(await used(folder, [], without)).toMatchObject({ code: 0, read: ALL_READ })
  })
})

test('npm lists the parts of an installation, each with its version, digest and licence', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const [command, ...args] = scripts['sbom']!.split(' ')
  const text = execFileSync(command!, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const { components } = JSON.parse(text) as { readonly components: readonly Component[] }
  expect(components.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['hono', 'pino', 'lz4-napi', 'snappy', 're2js']),
  )
  const names = components.map(({ name }) => name)
  expect(names).not.toContain('vitest')
  for (const { name, version, licenses, hashes } of components) {
    expect([name, version, licenses?.length, hashes?.length]).toEqual([name, expect.any(String), 1, 1])
  }
})
