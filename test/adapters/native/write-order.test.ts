/** Writes that are begun in one turn, none of them awaited: each is made after those that were begun before it. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { CellType } from '../../../src/model/cell.ts'
import { blockOf, type CellBlock, cellsOf } from '../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { get } from '../../../src/model/query.ts'
import { LATEST_TIMESTAMP } from '../../../src/model/timestamp.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { TABLE } from './store-under-test.ts'

const ROW = Buffer.from('r')
let now = 1_700_000_000_000
/** An append may be made a millisecond ahead: it is younger than what it follows. */
const CLOCK = { now: (): number => (now += 10) }
const WAYS = ['batch', 'append', 'rows'] as const

type Way = (typeof WAYS)[number]

function valueCell(value: string): CellBlock {
  const [family, qualifier] = [Buffer.from('f'), Buffer.from('q')]
  const timestamp = LATEST_TIMESTAMP
  return blockOf([{ row: ROW, family, qualifier, timestamp, type: CellType.Put, value: Buffer.from(value) }])
}

function write({ rows }: Store, way: Way, value: string): Promise<unknown> {
  const options = { durability: 'USE_DEFAULT' } as const
  const cells = valueCell(value)
  if (way === 'append')
    return rows.mutateRow(TABLE, { row: ROW, operations: [{ kind: 'append', cells }], options }, OWN_CALL)
  if (way === 'rows') {
    const part = { row: ROW, operations: [{ kind: 'mutate', cells } as const], options }
    return rows.mutateRows(TABLE, { parts: [part] }, OWN_CALL)
  }
  const batch = new MutationBatch()
  batch.put(ROW, Buffer.from('f'), Buffer.from('q'), Buffer.from(value))
  batch.endMutation()
  return rows.mutate(TABLE, batch, OWN_CALL)
}

const STORES = {
  native: () =>
    openNativeStore({
      directory: '/s',
      fileSystem: new CrashableFileSystem(),
      clock: CLOCK,
      random: Math.random,
    }),
  memory: () => Promise.resolve(openMemoryStore({ clock: CLOCK })),
}

test.each(Object.entries(STORES))('on the store %s', async (_, open) => {
  const ways = fc.array(fc.constantFrom(...WAYS), { minLength: 2, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(ways, async (drawn) => {
      const store = await open()
      await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
      await Promise.all(drawn.map((way, index) => write(store, way, `${index},`)))
      const expected = drawn.reduce((value, way, index) => `${way === 'append' ? value : ''}${index},`, '')
      const { cells } = await store.rows.get(TABLE, [get(ROW)], { bytes: 1000 }, OWN_CALL)
      expect(cellsOf(cells).map(({ value }) => value.toString())).toEqual([expected])
      await store.close()
    }),
  )
})
