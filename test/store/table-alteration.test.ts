/** Changes of tables are data: they come to a store in another thread as they were sent. */

import { expect, it } from 'vitest'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { FILE_TRACKER } from '../../src/model/file-trackers.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Alteration, TableChange } from '../../src/store/table-alteration.ts'
import { crossed } from '../harness/store-port/crossed.ts'

const NAME = parseTableName('t')
const TABLE = tableDescriptor(NAME, [familyDescriptor('f'), familyDescriptor('g')])
const F7 = familyDescriptor('f', [['VERSIONS', '7']])

const ALTERATIONS: Readonly<{
  [Kind in Alteration['kind']]: readonly [Extract<Alteration, { kind: Kind }>, string]
}> = {
  addFamily: [{ kind: 'addFamily', family: familyDescriptor('h') }, 'f=1 g=1 h=1 DEFAULT'],
  modifyFamily: [{ kind: 'modifyFamily', family: F7 }, 'f=7 g=1 DEFAULT'],
  deleteFamily: [{ kind: 'deleteFamily', family: Buffer.from('f') }, 'g=1 DEFAULT'],
  putFamilies: [{ kind: 'putFamilies', families: [F7, familyDescriptor('h')] }, 'f=7 g=1 h=1 DEFAULT'],
  stepToTracker: [{ kind: 'stepToTracker', family: undefined, tracker: 'FILE' }, 'f=1 g=1 MIGRATION'],
}

async function after(change: TableChange): Promise<string> {
  const store = openMemoryStore({ clock: Date })
  await store.catalog.createTable(TABLE, [], OWN_CALL)
  await store.catalog.modifyTable(crossed(change), OWN_CALL)
  const { families, attributes } = await store.catalog.table(NAME, OWN_CALL)
  const shown = families.map((each) => `${each.name.toString()}=${each.attributes.get('VERSIONS')}`)
  return [...shown, attributes.get(FILE_TRACKER)].join(' ')
}

it.each(Object.values(ALTERATIONS))('$0.kind arrives', async (alteration, expected) => {
  expect(await after({ name: NAME, alteration })).toBe(expected)
})

it('a new descriptor arrives', async () => {
  expect(await after(tableDescriptor(NAME, [F7]))).toBe('f=7 DEFAULT')
})

it.each<[Alteration, string]>([
  [{ kind: 'addFamily', family: F7 }, 'already exists'],
  [{ kind: 'modifyFamily', family: familyDescriptor('h') }, 'cannot be modified'],
  [{ kind: 'deleteFamily', family: Buffer.from('h') }, 'cannot be deleted'],
  [{ kind: 'putFamilies', families: [familyDescriptor('h'), familyDescriptor('h')] }, 'already exists'],
])('$0.kind is refused', async (alteration, reason) => {
  const code = 'INVALID_FAMILY_OPERATION'
  await expect(after({ name: NAME, alteration })).rejects.toMatchObject({
    code,
    message: expect.stringContaining(reason),
  })
})
