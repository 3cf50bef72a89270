/** A table that a user may describe, on a server whose quotas he may not read. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type ServerClient } from '../../src/cli/remote/open-server.ts'
import { parseServerAddress } from '../../src/cli/remote/server-address.ts'
import { writeUser } from '../../src/gateway/identity/guard/passwords/users-file.ts'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'
import { openShell } from '../../src/shell/open-session.ts'
import { pipedLines, runLines } from '../../src/shell/run-lines.ts'
import { PemFolder } from '../harness/certificates.ts'

let folder: PemFolder
let server: Tidegate

beforeAll(async () => {
  folder = new PemFolder()
  const users = `${folder.path}/users`
  for (const user of ['root', 'maker']) await writeUser(users, user, passwordOf(user))
  const define = ['hbase.quota.enabled=true']
  server = await startTidegate({ users, authorization: true, superuser: 'root', rpc: 0, define })
  const made = await printed('native RPC', 'root', [
    "create 't', 'f'",
    "set_quota TYPE => THROTTLE, TABLE => 't', LIMIT => '1000req/sec'",
    "grant 'maker', 'C', 't'",
    "create_namespace 'ns'",
    "grant 'maker', 'A', '@ns'",
  ])
  expect(made).not.toContain('ERROR')
})

afterAll(async () => {
  await server.stop()
  folder.remove()
})

function passwordOf(user: string): string {
  return `the password of ${user}`
}

const PROTOCOLS = ['native RPC', 'REST', 'Thrift 2'] as const
type Protocol = (typeof PROTOCOLS)[number]

function opened(protocol: Protocol, user: string): Promise<ServerClient> {
  const { rest, thrift, rpc } = server.ports
  const addresses = { 'native RPC': `rpc:127.0.0.1:${rpc}`, REST: `rest:127.0.0.1:${rest}` }
  const address = protocol === 'Thrift 2' ? `thrift:127.0.0.1:${thrift}` : addresses[protocol]
  const login = { user, login: { password: passwordOf(user) } }
  const demands = { retriesMax: 2, isImpatient: true, warn: () => undefined }
  return openServer(parseServerAddress(address), login, demands, () => undefined)
}

async function printed(protocol: Protocol, user: string, lines: readonly string[]): Promise<string> {
  const parts: string[] = []
  const write = (text: string): void => void parts.push(text)
  const { store, direct } = await opened(protocol, user)
  const { session } = openShell({
    store,
    servers: direct,
    output: { width: 0, write },
    user,
    version: 'the version',
    isForgiving: true,
    now: () => 0,
    sleep: () => Promise.resolve(),
    ask: async () => 'y',
  })
  try {
    await runLines(session, pipedLines(given(lines), undefined), write)
  } finally {
    await store.close()
  }
  return parts.join('')
}

async function* given(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

test.each(PROTOCOLS)('over %s the description has a note in the place of its quotas', async (protocol) => {
  const schema = /Table t is ENABLED\s[^]*NAME => 'f', [^]*QUOTAS\s+/
  const whole = await printed(protocol, 'root', ["describe 't'"])
  expect(whole).toMatch(schema)
  expect(whole).toContain('LIMIT => 1000req/sec')
  const denied = await printed(protocol, 'maker', ["describe 't'"])
  expect(denied).toMatch(schema)
  expect(denied).toContain('not shown: only a user who may read hbase:quota sees quotas\n0 row(s)\n')
  expect(denied).not.toContain('ERROR')
})

test('a namespace has the note as well, and a list of quotas alone is refused', async () => {
  const [namespace, list] = [
    await printed('native RPC', 'maker', ["describe_namespace 'ns'"]),
    await printed('native RPC', 'maker', ['list_quotas']),
  ]
  expect(namespace).toContain('not shown: only a user who may read hbase:quota')
  expect(namespace).not.toContain('ERROR')
  expect(list).toMatch(/ERROR: .*\(table=hbase:quota, action=READ\)/)
})
