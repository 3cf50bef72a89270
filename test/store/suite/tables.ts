import { describe, expect, test } from 'vitest'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { get, scan } from '../../../src/model/query.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { boundsOf, described } from './described-table.ts'
import { bytes, columns, failure, type Session } from './store-under-test.ts'

const NONE = parseTableName('none')

/** Tables, their states, and what HBase's master refuses. */
export function describeTables(start: () => Promise<Session>): void {
  describe('tables', () => {
    test('one is made, found again, and is enabled', async () => {
      const session = await start()
      const wanted = described('t', { f: { VERSIONS: '3', unknown: 'kept' }, a: {} })
      await session.store.createTable(wanted, [])
      await session.reopen()
      const { store } = session
      expect(await store.table(wanted.name)).toEqual(wanted)
      expect((await store.table(wanted.name)).families.map(({ name }) => name.toString())).toEqual(['a', 'f'])
      expect(await store.tableExists(wanted.name)).toBe(true)
      expect(await store.tableState(wanted.name)).toBe('ENABLED')
      expect(await failure(store.createTable(wanted, []))).toBe('TABLE_EXISTS: t')
    })

    test('they are listed by namespace, then by name', async () => {
      const { store } = await start()
      for (const name of ['aa', 'zz']) await store.createNamespace({ name, properties: new Map() })
      for (const name of ['zz:a', 'z', 'aa:t', 'a_t', 'B']) await store.createTable(described(name), [])
      expect((await store.listTables()).map(({ name }) => name)).toEqual(['aa:t', 'B', 'a_t', 'z', 'zz:a'])
    })

    test('one that is not there', async () => {
      const { store } = await start()
      const missing = 'TABLE_NOT_FOUND: none'
      expect(await store.tableExists(NONE)).toBe(false)
      const calls = [
        store.table(NONE),
        store.tableState(NONE),
        store.modifyTable(described('none')),
        store.deleteTable(NONE),
        store.truncateTable(NONE, true),
        store.enableTable(NONE),
        store.disableTable(NONE),
        store.regions(NONE),
        store.flushTable(NONE),
        store.get(NONE, [get(bytes('r'))]),
        store.openScanner(NONE, scan()),
        store.mutate(NONE, new MutationBatch()),
        store.mutateRow(NONE, { row: bytes('r'), operations: [], options: { durability: 'USE_DEFAULT' } }),
      ]
      expect(new Set(await Promise.all(calls.map(failure)))).toEqual(new Set([missing]))
    })

    test('an enabled one is not deleted, truncated or enabled', async () => {
      const session = await start()
      await session.create()
      const { store, table } = session
      expect(await failure(store.deleteTable(table))).toBe(
        'TABLE_NOT_DISABLED: Not DISABLED; tableName=t, state=ENABLED',
      )
      expect(await failure(store.truncateTable(table, false))).toBe('TABLE_NOT_DISABLED: t')
      expect(await failure(store.enableTable(table))).toBe('TABLE_NOT_DISABLED: tableName=t, state=ENABLED')
    })

    test('a disabled one keeps its cells and is neither read nor written', async () => {
      const session = await start()
      await session.create()
      await session.put('r', 'f:q', 'v', 5n)
      await session.store.disableTable(session.table)
      await session.reopen()
      const { store, table } = session
      expect(await store.tableState(table)).toBe('DISABLED')
      const disabled = 'TABLE_NOT_ENABLED: t is disabled.'
      expect(await failure(session.get('r'))).toBe(disabled)
      expect(await failure(session.scan())).toBe(disabled)
      expect(await failure(session.put('r', 'f:q', 'v'))).toBe(disabled)
      const options = { durability: 'USE_DEFAULT' } as const
      expect(await failure(store.mutateRow(table, { row: bytes('r'), operations: [], options }))).toBe(
        disabled,
      )
      expect(await failure(store.disableTable(table))).toBe('TABLE_NOT_ENABLED: t')
      expect(await failure(store.flushTable(table))).toBe('TABLE_NOT_ENABLED: t')
      expect(await store.regions(table)).toHaveLength(1)
      await store.enableTable(table)
      await session.reopen()
      expect(await session.get('r')).toEqual(['r/f:q@5=v'])
    })

    test('a deleted one is gone with its cells', async () => {
      const session = await start()
      await session.create()
      await session.put('r', 'f:q', 'v', 5n)
      await session.store.flushTable(session.table)
      await session.put('s', 'f:q', 'v', 5n)
      await session.store.disableTable(session.table)
      await session.store.deleteTable(session.table)
      await session.reopen()
      expect(await session.store.tableExists(session.table)).toBe(false)
      expect(await session.store.listTables()).toEqual([])
      await session.create()
      expect(await session.scan()).toEqual([])
      await session.reopen()
      expect(await session.scan()).toEqual([])
    })

    test('a truncated one is empty and enabled, with its regions or with one', async () => {
      const session = await start()
      const { table } = session
      await session.store.createTable(described('t'), [bytes('m')])
      await session.put('a', 'f:q', 'v', 5n)
      await session.put('z', 'f:q', 'v', 5n)
      const [before] = await session.store.regions(table)
      session.clock.time += 1000
      await session.store.disableTable(table)
      await session.store.truncateTable(table, true)
      await session.reopen()
      expect(await session.store.tableState(table)).toBe('ENABLED')
      expect(await session.scan()).toEqual([])
      const after = await session.store.regions(table)
      expect(boundsOf(after)).toEqual(['..m', 'm..'])
      expect(after[0]!.regionId).toBe(session.clock.time)
      expect(after[0]!.encodedName).not.toBe(before!.encodedName)
      await session.put('a', 'f:q', 'v', 5n)
      await session.store.disableTable(table)
      await session.store.truncateTable(table, false)
      expect(boundsOf(await session.store.regions(table))).toEqual(['..'])
      expect(await session.scan()).toEqual([])
    })

    test('a modified one has other rules for the same cells, and loses those of families that go', async () => {
      const session = await start()
      await session.create(['f', 'g'], { VERSIONS: '1' })
      await session.put('r', 'f:q', 'v', 5n)
      await session.put('r', 'g:q', 'v', 5n)
      await session.store.flushTable(session.table)
      await session.put('s', 'g:q', 'v', 5n)
      await session.store.modifyTable(described('t', { f: { VERSIONS: '5' }, h: {} }))
      await session.reopen()
      expect(await session.scan()).toEqual(['r/f:q@5=v'])
      expect(await failure(session.get('r', columns('g')))).toMatch(/^NO_SUCH_COLUMN_FAMILY/)
      await session.putVersions('r', 'f:q', 6n, 7n)
      await session.put('r', 'h:q', 'v', 5n)
      expect(await session.get('r', { maxVersions: 9 })).toEqual([
        'r/f:q@7=7',
        'r/f:q@6=6',
        'r/f:q@5=v',
        'r/h:q@5=v',
      ])
      await session.store.modifyTable(described('t', { f: {}, g: {} }))
      await session.reopen()
      expect(await session.scan()).toEqual(['r/f:q@7=7'])
    })

    const refused: [string, Record<string, Record<string, string>>, RegExp][] = [
      ['no family', {}, /^DO_NOT_RETRY: Table should have at least one column family\./],
      ['a TTL of 0', { f: { TTL: '0' } }, /^DO_NOT_RETRY: TTL for column family f must be positive\./],
      [
        'MIN_VERSIONS above VERSIONS',
        { f: { VERSIONS: '2', MIN_VERSIONS: '3' } },
        /^DO_NOT_RETRY: Min versions for column family f must be less than the Max versions\./,
      ],
      [
        'a codec that is not there',
        { f: { COMPRESSION: 'LZO' } },
        /^DO_NOT_RETRY: .*(ClassNotFoundException.*com\.hadoop\.compression\.lzo\.LzoCodec|'lzo' previously failed test).* Set hbase\.table\.sanity\.checks to false/,
      ],
      ['versions that are no number', { f: { VERSIONS: 'many' } }, /^ILLEGAL_ARGUMENT/],
    ]

    test.each(refused)('%s is refused, at create and at modify', async (_, families, message) => {
      const session = await start()
      expect(await failure(session.store.createTable(described('bad', families), []))).toMatch(message)
      expect(await session.store.listTables()).toEqual([])
      await session.create()
      expect(await failure(session.store.modifyTable(described('t', families)))).toMatch(message)
      expect(await session.store.table(session.table)).toEqual(described('t'))
    })
  })
}
