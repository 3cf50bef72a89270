/** The descriptor that a thread has of a table: a change that was answered counts, though its message has not come by itself. */

import { expect, test } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { openEngineOfThreads } from '../../../harness/readers/reads-of-thread.ts'

const TABLE = parseTableName('t')

test('a descriptor is that of the last change, of a disabled table, too', async () => {
  const { own, reader, close } = await openEngineOfThreads()
  const { catalog } = own
  const missing = { code: 'TABLE_NOT_FOUND' }
  await expect(reader.table(TABLE)).rejects.toMatchObject(missing)
  await catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
  expect(await reader.table(TABLE)).toEqual(await catalog.table(TABLE, OWN_CALL))
  expect(reader.mayRead(TABLE)).toBe(true)
  for (const name of ['g', 'h']) {
    const alteration = { kind: 'addFamily', family: familyDescriptor(name) } as const
    await catalog.modifyTable({ name: TABLE, alteration }, OWN_CALL)
    const { families } = await reader.table(TABLE)
    expect(families.at(-1)!.name.toString()).toBe(name)
  }
  await catalog.disableTable(TABLE, OWN_CALL)
  expect((await reader.table(TABLE)).families).toHaveLength(3)
  await catalog.deleteTable(TABLE, OWN_CALL)
  await expect(reader.table(TABLE)).rejects.toMatchObject(missing)
  await close()
})
