/** A server under systemd, whose command `systemd-notify` is a script here that notes what it is told. */

import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { ServiceManager } from '../../src/cli/machine/service-manager.ts'
import { own } from '../harness/processes/owned-children.ts'
import { FREE_PORTS, inTemporaryFolder, MAIN } from '../harness/tidegate-process.ts'

interface Started {
  readonly child: ChildProcess
  readonly log: () => string
}

function start(env: Readonly<Record<string, string>>): Started {
  const child = spawn(process.execPath, [MAIN, 'serve', '--store', 'memory', ...FREE_PORTS], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  own(child)
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  return { child, log: () => log }
}

async function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('close', resolve))
}

test.runIf(process.platform === 'linux')('systemd is told of readiness, of life, and of the end', () =>
  inTemporaryFolder(async (folder) => {
    const told = join(folder, 'told')
    writeFileSync(told, '')
    writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$@" >> ${told}\n`, { mode: 0o755 })
    const { child } = start({
      NOTIFY_SOCKET: '/run/none',
      WATCHDOG_USEC: '200000',
      PATH: `${folder}:${process.env['PATH']}`,
    })
    const messages = (): string[] => readFileSync(told, 'utf8').trim().split('\n')
    await expect.poll(messages, { timeout: 20_000 }).toContain('WATCHDOG=1')
    expect(messages()[0]).toBe('READY=1')
    const end = ended(child)
    child.kill('SIGTERM')
    expect(await end).toBe(0)
    await expect.poll(messages).toContain('STOPPING=1')
  }),
)

test('without systemd’s command the log says once what to do, and the server serves', async () => {
  const { child, log } = start({ NOTIFY_SOCKET: '/run/none', WATCHDOG_USEC: '100000', PATH: '' })
  await expect.poll(log, { timeout: 20_000 }).toContain('use Type=exec')
  const end = ended(child)
  child.kill('SIGTERM')
  expect(await end).toBe(0)
  expect(
    log()
      .split('\n')
      .filter((line) => line.includes('NOTIFY_SOCKET')),
  ).toHaveLength(1)
})

test('without NOTIFY_SOCKET nothing is told', async () => {
  const { child, log } = start({ NOTIFY_SOCKET: '', PATH: '' })
  await expect.poll(log, { timeout: 20_000 }).toContain('serving')
  const end = ended(child)
  child.kill('SIGTERM')
  expect(await end).toBe(0)
  expect(log()).not.toContain('NOTIFY_SOCKET')
})

test.runIf(process.platform === 'linux')(
  'a long start asks systemd for more time until all doors listen',
  () =>
    inTemporaryFolder(async (folder) => {
      const sent = join(folder, 'sent')
      writeFileSync(sent, '')
      writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$@" >> ${sent}\n`, { mode: 0o755 })
      const before = process.env['PATH']
      process.env['PATH'] = `${folder}:${before}`
      try {
        const manager = new ServiceManager(pino({ level: 'silent' }), { NOTIFY_SOCKET: '/run/none' }, 10)
        manager.starting()
        const messages = (): string[] => readFileSync(sent, 'utf8').trim().split('\n')
        await expect.poll(messages, { timeout: 20_000 }).toContain('EXTEND_TIMEOUT_USEC=60000000')
        manager.ready()
        await expect.poll(messages, { timeout: 20_000 }).toContain('READY=1')
      } finally {
        process.env['PATH'] = before
      }
    }),
)
