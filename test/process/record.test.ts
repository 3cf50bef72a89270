/** `tidegate record` as users run it. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readTape } from '../../src/recording/tape.ts'
import { own } from '../harness/processes/owned-children.ts'
import { inTemporaryFolder, MAIN } from '../harness/tidegate-process.ts'

const BODY = 'b'.repeat(5000)
let server: Server
let port: number

beforeAll(async () => {
  server = createServer((_, response) => response.end(BODY))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** `use`: what is done at the port of the recorder once it listens, before its SIGTERM. */
async function record(
  out: string,
  args: readonly string[],
  use: (port: number) => Promise<void>,
): Promise<Ended> {
  const command = [MAIN, 'record', '--to', `127.0.0.1:${port}`, '--out', out, ...args]
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] })
  own(child)
  let [stdout, stderr] = ['', '']
  child.stderr.on('data', (text: Buffer) => {
    stderr += text.toString()
  })
  const listening = new Promise<number>((resolve) => {
    child.stdout.on('data', (text: Buffer) => {
      stdout += text.toString()
      const [, at] = /^recording 127\.0\.0\.1:(\d+)/m.exec(stdout) ?? []
      if (at !== undefined) resolve(Number(at))
    })
  })
  const closed = once(child, 'close') as Promise<[number | null]>
  const at = await Promise.race([listening, closed.then(() => undefined)])
  if (at !== undefined) {
    await use(at)
    child.kill('SIGTERM')
  }
  const [code] = await closed
  return { code, stdout, stderr }
}

async function get(at: number): Promise<void> {
  expect(await (await fetch(`http://127.0.0.1:${at}/t/r`, { headers: { connection: 'close' } })).text()).toBe(
    BODY,
  )
}

test(
  'the file has the traffic, for its owner alone; the next recording needs another one',
  { timeout: 60_000 },
  () =>
    inTemporaryFolder(async (folder) => {
      const out = join(folder, 'a.tape')
      const first = await record(out, [], get)
      expect(first).toMatchObject({ code: 0, stderr: '' })
      expect(first.stdout).toContain('recorded 1 exchange of 1 connection, 0 notes')
      expect(statSync(out).mode & 0o777).toBe(0o600)
      expect(readTape(readFileSync(out, 'utf8')).exchanges).toHaveLength(1)
      const second = await record(out, [], get)
      expect(second.code).toBe(2)
      expect(second.stderr).toContain('is there already')
      expect(readTape(readFileSync(out, 'utf8')).exchanges).toHaveLength(1)
    }),
)

test('a message beyond --message-bytes-max is handed on, and told', { timeout: 60_000 }, () =>
  inTemporaryFolder(async (folder) => {
    const out = join(folder, 'a.tape')
    const { code, stdout } = await record(out, ['--message-bytes-max', '4096'], get)
    expect(code).toBe(0)
    expect(stdout).toContain('recorded 0 exchanges of 1 connection, 1 note')
    expect(readTape(readFileSync(out, 'utf8')).notes[0]).toContain('a message of more than 4096 bytes')
    const refused = await record(join(folder, 'b.tape'), ['--message-bytes-max', '33554433'], get)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('from 1024 to 33554432')
  }),
)

test('a port that is taken leaves no file behind', { timeout: 60_000 }, () =>
  inTemporaryFolder(async (folder) => {
    const out = join(folder, 'a.tape')
    const { code, stderr } = await record(out, ['--port', String(port)], get)
    expect(code).toBe(2)
    expect(stderr).toContain('EADDRINUSE')
    expect(existsSync(out)).toBe(false)
  }),
)
