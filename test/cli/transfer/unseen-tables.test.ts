import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { mayHideTables } from '../../../src/cli/transfer/unseen-tables.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import type { PermissionScope } from '../../../src/model/permission.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { startAuthorizedServer } from '../../gateway/policies/access/authorized-server.ts'
import { SUPERUSER } from '../../harness/access/people.ts'
import { inTemporaryFolder, MAIN } from '../../harness/tidegate-process.ts'

test('a server with permissions may hide tables from all but who has a permission of everything', async () => {
  const server = await startAuthorizedServer()
  const table = parseTableName('t')
  const { catalog, upkeep } = server.store
  await catalog.createTable(tableDescriptor(table, [familyDescriptor('f')]), [], OWN_CALL)
  const scopes: readonly (readonly [string, PermissionScope])[] = [
    ['of-table', { kind: 'table', table }],
    ['of-namespace', { kind: 'namespace', namespace: 'default' }],
    ['of-all', { kind: 'global' }],
  ]
  for (const [user, scope] of scopes)
    await upkeep.permissions!.grant({ user, permission: { scope, actions: ['READ'] } }, false, OWN_CALL)
  const hides = async (user: string): Promise<boolean> => {
    const client = await server.open(user)
    try {
      return await mayHideTables(client, true)
    } finally {
      await client.close()
    }
  }
  expect(await Promise.all(['of-table', 'of-namespace', 'nobody'].map(hides))).toEqual([true, true, true])
  expect(await Promise.all(['of-all', SUPERUSER].map(hides))).toEqual([false, false])
  await server.close()
})

test('a protocol that does not tell permissions may hide tables from who logs in', async () => {
  expect(await mayHideTables({ upkeep: {} }, true)).toBe(true)
  expect(await mayHideTables({ upkeep: {} }, false)).toBe(false)
})

test.each([['--all'], ['--table', 't', '--create']])(
  'a source that refuses the login leaves no folder of the destination behind: %s',
  { timeout: 60_000 },
  (...flags) =>
    inTemporaryFolder(async (cwd) => {
      const source = createServer((_, response) => response.writeHead(401).end()).listen(0, '127.0.0.1')
      await once(source, 'listening')
      const address = `rest:127.0.0.1:${(source.address() as AddressInfo).port}`
      try {
        const env = { ...process.env, TIDEGATE_PASSWORD: 'wrong' }
        const args = [MAIN, 'copy', address, 'native:made', '--user', 'alice', ...flags]
        const code = await new Promise((resolve) =>
          execFile(process.execPath, args, { cwd, env }, (error) => resolve(error?.code)),
        )
        expect(code).toBe(2)
        expect(existsSync(`${cwd}/made`)).toBe(false)
      } finally {
        source.close()
      }
    }),
)
