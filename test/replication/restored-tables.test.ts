/** A table of a backup that goes into a server with replication peers. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { openNativeStore } from '../../adapters/native/open-native-store.ts'
import { NODE_FILE_SYSTEM } from '../../adapters/native/platform/node-file-system.ts'
import { copyIntoServer } from '../../src/cli/backup/copy-into-server.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { Server, T } from './two-servers.ts'

const servers: Server[] = []
const folder = mkdtempSync(join(tmpdir(), 'restored-tables-'))

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.remove()))
  rmSync(folder, { recursive: true, force: true })
})

test('a restore into a server names the tables that it has made and that peers get', async () => {
  const [a, b] = [await new Server().start(), await new Server().start()]
  servers.push(a, b)
  await a.makeTable()
  await a.follow('1', b)
  const [local, copy, untouched] = ['local', 't_before', 'local_before'].map(parseTableName)
  const options = { directory: folder, fileSystem: NODE_FILE_SYSTEM, clock: Date, random: Math.random }
  const backup = await openNativeStore(options)
  const families = [familyDescriptor('f', [['REPLICATION_SCOPE', '1']])]
  await backup.catalog.createTable(tableDescriptor(T, families), [], OWN_CALL)
  await backup.catalog.createTable(tableDescriptor(local!, [familyDescriptor('f')]), [], OWN_CALL)
  await backup.close()
  const printed: string[] = []
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
  try {
    const tables = [
      { from: T, to: copy! },
      { from: T, to: T },
      { from: local!, to: untouched! },
    ]
    const parts = { json: true, bytesPerSecond: undefined }
    expect(await copyIntoServer(folder, a.store, tables, parts)).toBe(true)
  } finally {
    spy.mockRestore()
  }
  const warnings = printed.filter((line) => line.includes('replication peer'))
  expect(warnings).toEqual([
    expect.stringMatching(
      /^warning: replication peer 1 of the server gets the table t_before, too: .*enable_table_replication 't_before'/,
    ),
  ])
})
