/** The descriptors of hbase:meta and hbase:namespace, of which a store keeps what clients have made. */

import { expect, it, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { Catalog } from '../../../adapters/native/manifest/catalog.ts'
import { familyDescriptor, type TableDescriptor } from '../../../src/model/descriptor.ts'
import { META_TABLE } from '../../../src/model/meta-table.ts'
import { NAMESPACE_TABLE, SHOWN_TABLES } from '../../../src/model/shown-tables.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { checked } from './inspect/damaged-store.ts'
import { StoreUnderTest } from './store-under-test.ts'

const FIRST = SHOWN_TABLES.get(META_TABLE)!

function withAttributes(table: TableDescriptor, ...pairs: readonly (readonly [string, string])[]) {
  return { ...table, attributes: new Map([...table.attributes, ...pairs]) }
}

const copied = (table: TableDescriptor) => withAttributes(table, ['REGION_REPLICATION', '3'])

function described(store: Store, table: TableName = META_TABLE): Promise<TableDescriptor> {
  return store.catalog.table(table, OWN_CALL)
}

it('what clients have made of them stays, after kill -9 too', async () => {
  let session = await StoreUnderTest.open()
  expect(await described(session.store)).toEqual(FIRST)
  const family = familyDescriptor('x', [['VERSIONS', '2']])
  await session.store.catalog.modifyTable(copied(FIRST), OWN_CALL)
  await session.store.catalog.modifyTable(
    { name: META_TABLE, alteration: { kind: 'addFamily', family } },
    OWN_CALL,
  )
  await session.store.catalog.modifyTable(copied(await described(session.store, NAMESPACE_TABLE)), OWN_CALL)
  for (const restart of ['kill', 'kill', 'close'] as const) {
    if (restart === 'close') await session.store.close()
    session = await session.killed()
    expect(await described(session.store)).toEqual({
      ...copied(FIRST),
      families: [...FIRST.families, family],
    })
    const { attributes } = await described(session.store, NAMESPACE_TABLE)
    expect(attributes.get('REGION_REPLICATION')).toBe('3')
    expect(await session.store.catalog.listSystemTables(OWN_CALL)).toEqual([])
  }
  await session.store.catalog.modifyTable(FIRST, OWN_CALL)
  session = await session.killed()
  expect(await described(session.store)).toEqual(FIRST)
  await session.store.close()
  expect(checked(session.fileSystem.killed()).findings).toEqual([])
})

it('a manifest that is written anew has them', () => {
  const [catalog, copy] = [new Catalog(), new Catalog()]
  const table = { name: META_TABLE, attributes: [['a', 'b']] as const, families: [] }
  catalog.apply({ kind: 'shown-table', table })
  for (const edit of catalog.edits()) copy.apply(edit)
  expect(copy.shown).toEqual(new Map([[META_TABLE, table]]))
})

/** Recorded from HBase 2.6.1: the class and the words of its master. */
const CHECKED =
  'Set hbase.table.sanity.checks to false at conf or table descriptor if you want to bypass sanity checks'
const META_LOSS = 'org.apache.hadoop.hbase.HBaseIOException'
const DO_NOT_RETRY = 'org.apache.hadoop.hbase.DoNotRetryIOException'
const REFUSED: readonly (readonly [string, TableDescriptor, string, string])[] = [
  ...['info', 'rep_barrier', 'table'].map((lost) => {
    const families = FIRST.families.filter(({ name }) => name.toString() !== lost)
    return [
      `without ${lost}`,
      { ...FIRST, families },
      META_LOSS,
      `Delete of hbase:meta column family ${lost}`,
    ] as const
  }),
  [
    'with info alone',
    { ...FIRST, families: FIRST.families.slice(0, 1) },
    META_LOSS,
    'Delete of hbase:meta column family table',
  ],
  [
    'without a copy',
    withAttributes(FIRST, ['REGION_REPLICATION', '0']),
    DO_NOT_RETRY,
    `Table region replication should be at least one. ${CHECKED}`,
  ],
]

test.each(['memory', 'native'] as const)(
  'the %s store refuses what HBase refuses, and keeps the mark',
  async (kind) => {
    const store = kind === 'memory' ? openMemoryStore({ clock: Date }) : (await StoreUnderTest.open()).store
    for (const [what, table, javaClass, message] of REFUSED) {
      const refusal = store.catalog.modifyTable(table, OWN_CALL)
      await expect(refusal, what).rejects.toMatchObject({ javaClass, message })
    }
    expect(await described(store)).toEqual(FIRST)
    const unmarked = withAttributes(FIRST, ['IS_META', 'false'], ['A', 'b'])
    await store.catalog.modifyTable(unmarked, OWN_CALL)
    expect((await described(store)).attributes).toEqual(withAttributes(FIRST, ['A', 'b']).attributes)
    await store.close()
  },
)
