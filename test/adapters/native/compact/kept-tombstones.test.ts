import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { StoreUnderTest, TABLE } from '../store-under-test.ts'

const ROW = Buffer.from('r')
const FAMILY = Buffer.from('f')

function put(batch: MutationBatch, qualifier: string, at: bigint): MutationBatch {
  return batch.put(ROW, FAMILY, Buffer.from(qualifier), Buffer.from(`v${at}`), at)
}

it.each([
  ['a family', (batch: MutationBatch) => batch.deleteFamily(ROW, FAMILY, 5n)],
  ['a version of a family', (batch: MutationBatch) => batch.deleteFamilyVersion(ROW, FAMILY, 3n)],
])(
  'with KEEP_DELETED_CELLS the deletion of %s outlives surplus versions of the empty qualifier',
  async (_, remove) => {
    const session = await StoreUnderTest.open()
    const attributes: [string, string][] = [
      ['VERSIONS', '1'],
      ['KEEP_DELETED_CELLS', 'TRUE'],
    ]
    await session.createTable(tableDescriptor(TABLE, [familyDescriptor('f', attributes)]))
    for (const write of [
      (batch: MutationBatch) => put(batch, 'deleted', 3n),
      remove,
      (batch: MutationBatch) => put(batch, '', 10n),
      (batch: MutationBatch) => put(batch, '', 20n),
    ]) {
      const batch = write(new MutationBatch())
      batch.endMutation()
      await session.store.rows.mutate(TABLE, batch, OWN_CALL)
      await session.flush()
    }
    expect(await session.rows()).toEqual(['r=v20'])
    const { compactions } = session.store.upkeep
    await compactions!.compactTable(TABLE, { major: true }, OWN_CALL)
    while ((await compactions!.compactionState(TABLE, OWN_CALL)) !== 'NONE') await nextTurn()
    expect(session.paths('/s/data')).toHaveLength(1)
    expect(await session.rows()).toEqual(['r=v20'])
    await session.store.close()
  },
)
