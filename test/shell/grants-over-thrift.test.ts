import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ThriftTransport } from '../../adapters/servers/thrift/thrift-server.ts'
import { writeUser } from '../../src/gateway/identity/guard/passwords/users-file.ts'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'
import { openShell } from '../../src/shell/open-session.ts'
import { pipedLines, runLines } from '../../src/shell/run-lines.ts'
import type { Store } from '../../src/store/store.ts'
import { PemFolder } from '../harness/certificates.ts'
import { thriftStoreOn } from '../harness/doors-over-store.ts'

const RPC_IS_NAMED = "name the server's native RPC, rpc:HOST:PORT"

let folder: PemFolder
let server: Tidegate

beforeAll(async () => {
  folder = new PemFolder()
  const users = `${folder.path}/users`
  for (const user of ['root', 'bob']) await writeUser(users, user, passwordOf(user))
  server = await startTidegate({ users, authorization: true, superuser: 'root' })
  await run('root', ["create 't', 'f'", "create_namespace 'ns'", "create 'ns:t', 'f'"])
})

afterAll(async () => {
  await server.stop()
  folder.remove()
})

function passwordOf(user: string): string {
  return `the password of ${user}`
}

/** The lines that the shell prints. */
function run(user: string, lines: readonly string[], transport: ThriftTransport = 'http'): Promise<string> {
  const credentials = { user, password: passwordOf(user) }
  return printedBy(thriftStoreOn(server.ports.thrift!, transport, { credentials }), user, lines)
}

async function printedBy(store: Store, user: string, lines: readonly string[]): Promise<string> {
  const printed: string[] = []
  const write = (text: string): void => void printed.push(text)
  const { session } = openShell({
    store,
    servers: undefined,
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
  return printed.join('')
}

async function* given(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

/** Which of reading and writing the table bob may do. */
async function bobMay(table: string): Promise<string> {
  const reads = !(await run('bob', [`get '${table}', 'r'`])).includes('ERROR')
  const writes = !(await run('bob', [`put '${table}', 'r', 'f:q', 'v'`])).includes('ERROR')
  return `${reads ? 'R' : ''}${writes ? 'W' : ''}`
}

test.each(['buffered', 'framed', 'http'] as const)(
  'over %s a grant replaces what there was, and revoke takes all',
  async (transport) => {
    const root = async (line: string): Promise<void> =>
      expect(await run('root', [line], transport)).not.toContain('ERROR')
    for (const [place, table] of [
      ['t', 't'],
      ['@ns', 'ns:t'],
    ] as const) {
      expect(await bobMay(table)).toBe('')
      for (const actions of ['RW', 'R', 'W', 'RWXCA', 'R']) {
        await root(`grant 'bob', '${actions}', '${place}'`)
        expect([actions, await bobMay(table)]).toEqual([actions, actions.replace('XCA', '')])
      }
      await root(`revoke 'bob', '${place}'`)
      expect(await bobMay(table)).toBe('')
    }
  },
)

test('a command that Thrift cannot express is refused by name', async () => {
  const cases = [
    ["grant 'bob', 'R'", 'a permission of everything'],
    ["grant 'bob', 'R', 't', 'f'", 'a permission of a family or a column'],
    ["revoke 'bob', 't', 'f', 'q'", 'a permission of a family or a column'],
    ["user_permission 't'", '`user_permission`'],
  ] as const
  for (const [line, named] of cases) {
    const words = `ERROR: ${named} is not a thing Thrift can ask for: ${RPC_IS_NAMED}\n`
    expect(await run('root', [line])).toContain(words)
  }
  expect(await bobMay('t')).toBe('')
})

test('mistakes and refusals are reported', async () => {
  expect(await run('root', ["grant 'bob', 'Q', 't'"])).toContain('ERROR: Unknown action Q\n')
  expect(await run('root', ["grant 'bob', '', 't'"])).toContain('no actions associated with user')
  expect(await run('root', ["grant 'bob', 'R', 'none'"])).toContain("ERROR: Can't find a table: none\n")
  expect(await run('root', ["revoke 'bob', '@none'"])).toContain("ERROR: Can't find a namespace: none\n")
  expect(await run('bob', ["grant 'bob', 'R', 't'"])).toMatch(
    /ERROR: .*(Insufficient permissions|Can't find)/,
  )
  expect(await bobMay('t')).toBe('')
})

test('a server without permissions says so', async () => {
  const open = await startTidegate({})
  try {
    const store = thriftStoreOn(open.ports.thrift!)
    expect(await printedBy(store, 'root', ["create 't', 'f'", "grant 'bob', 'R', 't'"])).toContain(
      'ERROR: java.lang.UnsupportedOperationException: org.apache.hadoop.hbase.security.access.AccessController is not loaded',
    )
  } finally {
    await open.stop()
  }
})
