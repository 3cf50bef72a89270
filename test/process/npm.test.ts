/** A server that npm started ends with it, and gives its ports and its folder back. */

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { own } from '../harness/processes/owned-children.ts'
import { FREE_PORTS, inTemporaryFolder, MAIN } from '../harness/tidegate-process.ts'

const ROOT = fileURLToPath(packageRoot())
const END_MS_MAX = 10_000

interface Started {
  readonly npm: ChildProcess
  readonly restPort: number
}

/** Resolves at the ready line. npm gets a process group of its own, as from a person's shell. */
async function start(cwd: string, command: string, ...args: string[]): Promise<Started> {
  const npm = spawn(command, args, { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  own(npm, () => endGroup(npm))
  let told = ''
  const restPort = await new Promise<number>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      told += chunk.toString()
      const ready = /^ready .* rest=127\.0\.0\.1:(\d+)/m.exec(told)
      if (ready !== null) resolve(Number(ready[1]))
    }
    npm.stdout.on('data', read)
    npm.stderr.on('data', read)
    npm.once('error', reject)
    npm.once('close', () => reject(new Error(told)))
  })
  return { npm, restPort }
}

function isServing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Sends the signal to npm alone, or to its group as Ctrl-C and `kill %1` do: soon the port and the folder are free. */
async function expectToEnd(
  { npm, restPort }: Started,
  folder: string,
  signal: NodeJS.Signals,
  to: 'npm' | 'group' = 'npm',
): Promise<void> {
  const lock = join(folder, 'LOCK')
  try {
    expect(existsSync(lock)).toBe(true)
    process.kill(to === 'npm' ? npm.pid! : -npm.pid!, signal)
    const deadline = performance.now() + END_MS_MAX
    while ((existsSync(lock) || (await isServing(restPort))) && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect({ lock: existsSync(lock), serving: await isServing(restPort) }).toEqual({
      lock: false,
      serving: false,
    })
  } finally {
    endGroup(npm)
  }
}

function endGroup(npm: ChildProcess): void {
  try {
    process.kill(-npm.pid!, 'SIGKILL')
  } catch {
    // The whole group has ended, as it should.
  }
}

const serveArgs = (folder: string): string[] => ['--store', `native:${folder}`, ...FREE_PORTS]

test.concurrent.each([
  ['SIGTERM', 'npm'],
  ['SIGKILL', 'npm'],
  ['SIGTERM', 'group'],
  ['SIGINT', 'group'],
] as const)('npm start: %s to the %s ends the server', (signal, to) =>
  inTemporaryFolder(async (folder) => {
    const started = await start(ROOT, 'npm', 'start', '--', ...serveArgs(folder))
    await expectToEnd(started, folder, signal, to)
  }),
)

test.concurrent('npx: SIGTERM to npx ends the server', () =>
  inTemporaryFolder(async (folder) => {
    const project = join(folder, 'project')
    mkdirSync(join(project, 'node_modules', '.bin'), { recursive: true })
    const main = `#!/usr/bin/env node\nimport(${JSON.stringify(MAIN)})\n`
    writeFileSync(join(project, 'node_modules', '.bin', 'tidegate'), main, { mode: 0o755 })
    writeFileSync(join(project, 'package.json'), '{}')
    const data = join(folder, 'data')
    const started = await start(project, 'npx', '--no-install', 'tidegate', 'serve', ...serveArgs(data))
    await expectToEnd(started, data, 'SIGTERM')
  }))

test.concurrent('npm run in a project: SIGTERM to npm, with a script between, ends the server', () =>
  inTemporaryFolder(async (folder) => {
    const data = join(folder, 'data')
    const scripts = {
      serve: `${process.execPath} ${MAIN} serve ${serveArgs(data).join(' ')}`,
      dev: 'npm run serve && echo done',
    }
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }))
    const started = await start(folder, 'npm', 'run', 'dev')
    await expectToEnd(started, data, 'SIGTERM')
  }))
