/** The JVMs of a real HBase end with the tool that has started them. The `java` here is a script that heeds no SIGTERM. */

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { inTemporaryFolder } from '../harness/tidegate-process.ts'

const TOOL = fileURLToPath(new URL('dist/test/harness/fake-hbase.js', packageRoot()))
const GONE_MS_MAX = 5_000

const JAVA = `#!${process.execPath}
const { writeFileSync } = require('node:fs')
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined)
writeFileSync(process.env.FAKE_JAVA_PID, String(process.pid))
console.error('Master has completed initialization')
setInterval(() => undefined, 60000)
`

interface Tool {
  readonly process: ChildProcess
  readonly ended: Promise<number | null>
}

/** Resolves when the tool's "HBase" is up. */
async function startTool(folder: string, ...args: string[]): Promise<Tool> {
  const [bin, home, temp] = ['bin', 'home', 'tmp'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const each of [bin, join(home, 'lib'), temp]) mkdirSync(each, { recursive: true })
  writeFileSync(join(bin, 'java'), JAVA, { mode: 0o755 })
  writeFileSync(join(home, 'lib', '.complete'), '')
  const env = {
    ...process.env,
    PATH: `${bin}:${process.env['PATH']}`,
    REAL_HBASE_HOME: home,
    TMPDIR: temp,
    FAKE_JAVA_PID: join(folder, 'pid'),
  }
  const tool = spawn(process.execPath, [TOOL, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise<number | null>((resolve) => tool.once('exit', resolve))
  await new Promise<void>((resolve, reject) => {
    tool.stdout.once('data', () => resolve())
    tool.once('error', reject)
    void ended.then((code) => reject(new Error(`the tool has ended with ${code}`)))
  })
  return { process: tool, ended }
}

async function expectNothingLeft(folder: string): Promise<void> {
  const java = Number(readFileSync(join(folder, 'pid'), 'utf8'))
  const deadline = performance.now() + GONE_MS_MAX
  while (isAlive(java) && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 10))
  const isLeft = isAlive(java)
  if (isLeft) process.kill(java, 'SIGKILL')
  expect({ java: isLeft, folders: readdirSync(join(folder, 'tmp')) }).toEqual({ java: false, folders: [] })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test.concurrent.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends a tool with %d, its JVMs and their folder', (signal, code) =>
  inTemporaryFolder(async (folder) => {
    const tool = await startTool(folder)
    tool.process.kill(signal)
    const ended = await tool.ended
    await expectNothingLeft(folder)
    expect(ended).toBe(code)
  }),
)

test.concurrent('a tool that fails takes its JVMs along', () =>
  inTemporaryFolder(async (folder) => {
    const tool = await startTool(folder, 'throw')
    const ended = await tool.ended
    await expectNothingLeft(folder)
    expect(ended).toBe(1)
  }))
