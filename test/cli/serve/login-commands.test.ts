/** `tidegate shell`, `export`, `import` and `copy`, built, at a server with TLS and logins. */

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LoginServer, PASSWORD, startLoginServer, USER } from '../../harness/login-server.ts'
import { MAIN } from '../../harness/tidegate-process.ts'

interface Ended {
  readonly code: number
  readonly said: string
}

let running: LoginServer
let rpc: string
let trust: readonly string[]

beforeAll(async () => {
  running = await startLoginServer()
  rpc = `rpc:127.0.0.1:${running.server.ports.rpc}`
  trust = ['--tls-ca', running.environment['CA']!]
})
afterAll(() => running.close())

function tidegate(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, ...environment }
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], { env, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), said: `${stdout}${stderr}` }),
    )
  })
}

function shell(flags: readonly string[], environment = {}): Promise<Ended> {
  return tidegate(['shell', '--address', rpc, ...flags, '-e', "count 't'"], environment)
}

const AS_ALICE = { TIDEGATE_PASSWORD: PASSWORD }

describe('the shell', () => {
  test('writes and reads as the user who has logged in, at either address', async () => {
    const commands = ["put 't', 'r', 'f:q', 'v'", "scan 't'", 'whoami'].flatMap((command) => ['-e', command])
    const login = [...trust, '--user', USER]
    const written = await tidegate(['shell', '--address', rpc, ...login, ...commands], AS_ALICE)
    expect(written).toMatchObject({
      code: 0,
      said: expect.stringMatching(/value=v\n[\s\S]*alice \(auth:PASSWORD\)/),
    })
    const zookeeper = `zookeeper:127.0.0.1:${running.server.ports.zookeeper}`
    const counted = await tidegate(['shell', '--address', zookeeper, ...login, '-e', "count 't'"], AS_ALICE)
    expect(counted).toMatchObject({ code: 0, said: expect.stringContaining('1 row') })
  }, 120_000)

  test.each(['rest', 'thrift', 'framed', 'http'])(
    'logs in over %s, too',
    async (way) => {
      const { rest, thrift } = running.server.ports
      const address =
        way === 'rest'
          ? `rest:127.0.0.1:${rest}`
          : `thrift:127.0.0.1:${thrift}${way === 'thrift' ? '' : `/${way}`}`
      const ask = (flags: readonly string[], environment: Readonly<Record<string, string>>): Promise<Ended> =>
        tidegate(['shell', '--address', address, ...flags, '-e', "exists 't'"], environment)
      const outcomes = await Promise.all([
        ask([...trust, '--user', USER], AS_ALICE),
        ask([...trust, '--user', USER], { TIDEGATE_PASSWORD: 'another password' }),
        ask(trust, {}),
        ask(['--tls', '--user', USER], AS_ALICE),
      ])
      const [fine, refused, nobody, untrusted] = outcomes
      expect(fine).toMatchObject({ code: 0, said: expect.stringContaining('Table t does exist') })
      expect(refused).toMatchObject({ code: 1, said: expect.stringMatching(/password|401|login/i) })
      expect(nobody).toMatchObject({ code: 1, said: expect.stringContaining('--user') })
      expect(untrusted).toMatchObject({ code: 1, said: expect.stringContaining('--tls-ca FILE') })
    },
    120_000,
  )

  test('says at once why it is not let in', async () => {
    const outcomes = await Promise.all([
      shell([...trust, '--user', USER], { TIDEGATE_PASSWORD: 'another password' }),
      shell(trust),
      shell([]),
      shell(['--tls']),
      shell([...trust, '--user', USER]),
      shell([...trust, '--user', USER], { TIDEGATE_PASSWORD: '' }),
    ])
    const reasons = [
      /ERROR: .*(?:password|not let)/i,
      /Authentication is required: show a user and a password .*\(tidegate: --user NAME\)/,
      /speaks HBase.s native RPC over TLS: add --tls/,
      /certificate.*--tls-ca FILE/,
      /there is no password; state TIDEGATE_PASSWORD/,
      /there is no password; state TIDEGATE_PASSWORD/,
    ]
    for (const [index, reason] of reasons.entries()) {
      expect(outcomes[index]!.said).toMatch(reason)
      expect(outcomes[index]!.code).toBeGreaterThan(0)
    }
  }, 120_000)
})

test('tables go out of the server, into it and into another one', async () => {
  const { path } = running.folder
  const password = running.folder.file('password', `${PASSWORD}\n`)
  const login = [...trust, '--user', USER, '--password-file', password]
  const put = ['-e', "put 't', 'out', 'f:q', 'there and back'"]
  await tidegate(['shell', '--address', rpc, ...login, ...put])
  const file = `${path}/t.ndjson`
  const exported = await tidegate(['export', file, '--store', rpc, '--table', 't', ...login])
  expect(exported.code, exported.said).toBe(0)
  expect(readFileSync(file, 'utf8')).toContain('"out"')
  const imported = await tidegate(['import', file, '--store', rpc, '--table', 't', ...login])
  expect(imported.code, imported.said).toBe(0)
  const copied = await tidegate(['copy', rpc, `native:${path}/copy`, '--table', 't', '--create', ...login])
  expect(copied.code, copied.said).toBe(0)
  const refused = await tidegate(['copy', rpc, `native:${path}/no`, '--table', 't', '--create', ...trust])
  expect(refused).toMatchObject({ code: 2, said: expect.stringContaining('Authentication is required') })
}, 180_000)
