/** Permissions and labels of a store that is served with other settings than before. */

import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { startServer } from '../../../src/cli/serve/start-server.ts'
import { ignoredRights, leftPermissions, requireEnabled } from '../../../src/cli/stores/rights-of-store.ts'
import { ACL_TABLE } from '../../../src/gateway/policies/access/permissions/acl-rows.ts'
import { AclTable } from '../../../src/gateway/policies/access/permissions/acl-table.ts'
import { LABELS_DESCRIPTOR, LABELS_TABLE } from '../../../src/model/label-rows.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { authorizedStore } from '../../gateway/policies/access/authorized-server.ts'
import { FREE_PORTS, inTemporaryFolder } from '../../harness/tidegate-process.ts'
import { parsedSettings } from '../parsed-settings.ts'

const OBEYED = { hasPermissions: true, labels: { checksAuths: false, generators: [] } }
const TABLE = parseTableName('gone')

async function withMemory(work: (store: Store) => Promise<void>): Promise<void> {
  const store = openMemoryStore({ clock: Date })
  try {
    await authorizedStore(store)
    await store.catalog.createTable(LABELS_DESCRIPTOR, [], OWN_CALL)
    await work(store)
  } finally {
    await store.close()
  }
}

test.each([
  ['nothing', undefined, [ACL_TABLE, LABELS_TABLE]],
  ['permissions alone', { hasPermissions: true }, [LABELS_TABLE]],
  ['labels alone', { ...OBEYED, hasPermissions: false }, [ACL_TABLE]],
  ['both', OBEYED, []],
] as const)('a server that obeys %s names the tables that it passes over', (_, rights, tables) =>
  withMemory(async (store) => {
    const sentences = await ignoredRights(store, rights)
    expect(sentences).toEqual(tables.map((table) => expect.stringContaining(table) as string))
  }),
)

test('a server tells no more of a table that nobody looks at once it is gone', () =>
  inTemporaryFolder(async (folder) => {
    const spec = `native:${join(folder, 'store')}`
    const logger = pino({ level: 'silent' })
    const start = (...flags: string[]): ReturnType<typeof startServer> =>
      startServer(parsedSettings('--store', spec, ...FREE_PORTS, ...flags), (name) => name, logger)
    await (await start('--authorization', '--superuser', 'root', '--insecure')).stop()
    const server = await start()
    const { doors, store } = server
    const health = async (): Promise<object> =>
      (await (await fetch(`http://127.0.0.1:${doors.get('web')!.port}/health`)).json()) as object
    expect(await health()).toHaveProperty('insecure')
    await store.catalog.disableTable(ACL_TABLE, OWN_CALL)
    await store.catalog.deleteTable(ACL_TABLE, OWN_CALL)
    expect(await health()).not.toHaveProperty('insecure')
    await server.stop()
  }))

test('a store without such tables needs no word', async () => {
  const store = openMemoryStore({ clock: Date })
  expect(await ignoredRights(store, undefined)).toEqual([])
  await store.close()
})

test('a disabled table of rights is told with the way to enable it', () =>
  withMemory(async (store) => {
    await requireEnabled(store, ACL_TABLE, '--authorization')
    await store.catalog.disableTable(ACL_TABLE, OWN_CALL)
    await expect(requireEnabled(store, ACL_TABLE, '--authorization')).rejects.toThrow(
      /--authorization: hbase:acl is disabled; start once on the loopback without --authorization, .*enable 'hbase:acl' in the shell .*--address.*--user/,
    )
  }))

test('permissions of tables and namespaces that are not there are named, ten of them', () =>
  withMemory(async (store) => {
    const acl = new AclTable(store)
    const grant = (scope: Parameters<AclTable['forget']>[0]): Promise<void> =>
      acl.grant({ user: 'ann', permission: { scope, actions: ['READ'] } }, false, OWN_CALL)
    await grant({ kind: 'global' })
    await grant({ kind: 'namespace', namespace: 'default' })
    await grant({ kind: 'table', table: LABELS_TABLE })
    expect(await leftPermissions(store, OBEYED)).toEqual([])
    await grant({ kind: 'table', table: TABLE, family: Buffer.from('f') })
    await grant({ kind: 'table', table: TABLE })
    await grant({ kind: 'namespace', namespace: 'away' })
    await grant({ kind: 'table', table: parseTableName('away:t') })
    const [sentence] = await leftPermissions(store, OBEYED)
    expect(sentence).toContain(
      '"@away", "away:t", "gone"; a superuser removes them in the shell by deleteall',
    )
    for (let n = 0; n < 9; n++) await grant({ kind: 'table', table: parseTableName(`t${n}`) })
    expect((await leftPermissions(store, OBEYED))[0]).toMatch(/"t6" and 2 more; /)
    expect(await leftPermissions(store, undefined)).toEqual([])
  }))

test('a server tells in its log and in /health that nobody looks at the permissions of its store', () =>
  inTemporaryFolder(async (folder) => {
    const lines: string[] = []
    const logger = pino({ level: 'warn' }, { write: (text) => void lines.push(text) })
    const served = async (...flags: string[]): Promise<{ readonly insecure?: readonly string[] }> => {
      const store = `native:${join(folder, 'store')}`
      const settings = parsedSettings('--store', store, ...FREE_PORTS, ...flags)
      const server = await startServer(settings, (name) => name, logger)
      const port = server.doors.get('web')!.port
      const health = await fetch(`http://127.0.0.1:${port}/health`).then((answer) => answer.json())
      await server.stop()
      return health as { readonly insecure?: readonly string[] }
    }
    await served('--authorization', '--superuser', 'root', '--insecure')
    lines.length = 0
    const { insecure } = await served()
    expect(insecure).toEqual([expect.stringContaining('give --authorization')])
    expect(lines.join('')).toContain(`insecure: ${insecure![0]!}`)
  }))
