import { describe, expect, test } from 'vitest'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { get, scan } from '../../../src/model/query.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { boundsOf, described } from './described-table.ts'
import { bytes, columns, failure, flushTable, NO_GET_LIMITS, type Session } from './store-under-test.ts'

const NONE = parseTableName('none')

/** Tables, their states, and the refusals of HBase's master. */
export function describeTables(start: () => Promise<Session>): void {
  describe('tables', () => {
    test('one is made, found again, and is enabled', async () => {
      const session = await start()
      const wanted = described('t', { f: { VERSIONS: '3', unknown: 'kept' }, a: {} })
      await session.store.catalog.createTable(wanted, [], OWN_CALL)
      await session.reopen()
      const { store } = session
      expect(await store.catalog.table(wanted.name, OWN_CALL)).toEqual(wanted)
      expect(
        (await store.catalog.table(wanted.name, OWN_CALL)).families.map(({ name }) => name.toString()),
      ).toEqual(['a', 'f'])
      expect(await store.catalog.tableExists(wanted.name, OWN_CALL)).toBe(true)
      expect(await store.catalog.tableState(wanted.name, OWN_CALL)).toBe('ENABLED')
      expect(await failure(store.catalog.createTable(wanted, [], OWN_CALL))).toBe('TABLE_EXISTS: t')
    })

    test('they are listed by namespace, then by name', async () => {
      const { store } = await start()
      for (const name of ['aa', 'zz'])
        await store.catalog.createNamespace({ name, properties: new Map() }, OWN_CALL)
      for (const name of ['zz:a', 'z', 'aa:t', 'a_t', 'B'])
        await store.catalog.createTable(described(name), [], OWN_CALL)
      expect((await store.catalog.listTables(OWN_CALL)).map(({ name }) => name)).toEqual([
        'aa:t',
        'B',
        'a_t',
        'z',
        'zz:a',
      ])
    })

    test('the store says whether hbase:meta and hbase:namespace are among its tables', async () => {
      const { catalog } = (await start()).store
      const system = (await catalog.listSystemTables(OWN_CALL)).map(({ name }) => name)
      const shown = ['hbase:meta', 'hbase:namespace']
      expect(shown.filter((name) => system.some((own) => own === name))).toEqual(
        catalog.hasSystemTables ? shown : [],
      )
    })

    test('one that is not there', async () => {
      const { store } = await start()
      const missing = 'TABLE_NOT_FOUND: none'
      expect(await store.catalog.tableExists(NONE, OWN_CALL)).toBe(false)
      const calls = [
        store.catalog.table(NONE, OWN_CALL),
        store.catalog.tableState(NONE, OWN_CALL),
        store.catalog.modifyTable(described('none'), OWN_CALL),
        store.catalog.deleteTable(NONE, OWN_CALL),
        store.catalog.truncateTable(NONE, true, OWN_CALL),
        store.catalog.enableTable(NONE, OWN_CALL),
        store.catalog.disableTable(NONE, OWN_CALL),
        store.catalog.regions(NONE, OWN_CALL),
        flushTable(store, NONE),
        store.rows.get(NONE, [get(bytes('r'))], NO_GET_LIMITS, OWN_CALL),
        openScanner(store, NONE, scan(), OWN_CALL),
        store.rows.mutate(NONE, new MutationBatch(), OWN_CALL),
        store.rows.mutateRow(
          NONE,
          { row: bytes('r'), operations: [], options: { durability: 'USE_DEFAULT' } },
          OWN_CALL,
        ),
      ]
      expect(new Set(await Promise.all(calls.map(failure)))).toEqual(new Set([missing]))
    })

    test('an enabled one is not deleted, truncated or enabled', async () => {
      const session = await start()
      session.needs('dropsOfEnabledTables')
      await session.create()
      const { store, table } = session
      expect(await failure(store.catalog.deleteTable(table, OWN_CALL))).toBe(
        'TABLE_NOT_DISABLED: Not DISABLED; tableName=t, state=ENABLED',
      )
      expect(await failure(store.catalog.truncateTable(table, false, OWN_CALL))).toBe('TABLE_NOT_DISABLED: t')
      expect(await failure(store.catalog.enableTable(table, OWN_CALL))).toBe(
        'TABLE_NOT_DISABLED: tableName=t, state=ENABLED',
      )
    })

    test('a disabled one keeps its cells and is neither read nor written', async () => {
      const session = await start()
      await session.create()
      await session.put('r', 'f:q', 'v', 5n)
      await session.store.catalog.disableTable(session.table, OWN_CALL)
      await session.reopen()
      const { store, table } = session
      expect(await store.catalog.tableState(table, OWN_CALL)).toBe('DISABLED')
      const disabled = 'TABLE_NOT_ENABLED: t is disabled.'
      expect(await failure(session.get('r'))).toBe(disabled)
      expect(await failure(session.scan())).toBe(disabled)
      expect(await failure(session.put('r', 'f:q', 'v'))).toBe(disabled)
      const options = { durability: 'USE_DEFAULT' } as const
      expect(
        await failure(store.rows.mutateRow(table, { row: bytes('r'), operations: [], options }, OWN_CALL)),
      ).toBe(disabled)
      expect(await failure(store.catalog.disableTable(table, OWN_CALL))).toBe('TABLE_NOT_ENABLED: t')
      expect(await failure(flushTable(store, table))).toBe('TABLE_NOT_ENABLED: t')
      expect(await store.catalog.regions(table, OWN_CALL)).toHaveLength(1)
      await store.catalog.enableTable(table, OWN_CALL)
      await session.reopen()
      expect(await session.get('r')).toEqual(['r/f:q@5=v'])
    })

    test('a deleted one is gone with its cells', async () => {
      const session = await start()
      await session.create()
      await session.put('r', 'f:q', 'v', 5n)
      await flushTable(session.store, session.table)
      await session.put('s', 'f:q', 'v', 5n)
      await session.store.catalog.disableTable(session.table, OWN_CALL)
      await session.store.catalog.deleteTable(session.table, OWN_CALL)
      await session.reopen()
      expect(await session.store.catalog.tableExists(session.table, OWN_CALL)).toBe(false)
      expect(await session.store.catalog.listTables(OWN_CALL)).toEqual([])
      await session.create()
      expect(await session.scan()).toEqual([])
      await session.reopen()
      expect(await session.scan()).toEqual([])
    })

    test('a truncated one is empty and enabled, with its regions or with one', async () => {
      const session = await start()
      const { table } = session
      await session.store.catalog.createTable(described('t'), [bytes('m')], OWN_CALL)
      await session.put('a', 'f:q', 'v', 5n)
      await session.put('z', 'f:q', 'v', 5n)
      const [before] = await session.store.catalog.regions(table, OWN_CALL)
      session.clock.time += 1000
      await session.store.catalog.disableTable(table, OWN_CALL)
      await session.store.catalog.truncateTable(table, true, OWN_CALL)
      await session.reopen()
      expect(await session.store.catalog.tableState(table, OWN_CALL)).toBe('ENABLED')
      expect(await session.scan()).toEqual([])
      const after = await session.store.catalog.regions(table, OWN_CALL)
      expect(boundsOf(after)).toEqual(['..m', 'm..'])
      expect(after[0]!.regionId).toBe(session.clock.time)
      expect(after[0]!.encodedName).not.toBe(before!.encodedName)
      await session.put('a', 'f:q', 'v', 5n)
      await session.store.catalog.disableTable(table, OWN_CALL)
      await session.store.catalog.truncateTable(table, false, OWN_CALL)
      expect(boundsOf(await session.store.catalog.regions(table, OWN_CALL))).toEqual(['..'])
      expect(await session.scan()).toEqual([])
    })

    test('a modified one has other rules for the same cells, and loses those of families that go', async () => {
      const session = await start()
      await session.create(['f', 'g'], { VERSIONS: '1' })
      await session.put('r', 'f:q', 'v', 5n)
      await session.put('r', 'g:q', 'v', 5n)
      await flushTable(session.store, session.table)
      await session.put('s', 'g:q', 'v', 5n)
      await session.store.catalog.modifyTable(described('t', { f: { VERSIONS: '5' }, h: {} }), OWN_CALL)
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
      await session.store.catalog.modifyTable(described('t', { f: {}, g: {} }), OWN_CALL)
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
      [
        'a policy that memstores do not have',
        { f: { IN_MEMORY_COMPACTION: 'bogus' } },
        /^DO_NOT_RETRY: No enum constant org\.apache\.hadoop\.hbase\.MemoryCompactionPolicy\.BOGUS Set hbase\.table\.sanity\.checks to false/,
      ],
      ['versions that are no number', { f: { VERSIONS: 'many' } }, /^ILLEGAL_ARGUMENT/],
    ]

    test.each(refused)('%s is refused, at create and at modify', async (_, families, message) => {
      const session = await start()
      expect(
        await failure(session.store.catalog.createTable(described('bad', families), [], OWN_CALL)),
      ).toMatch(message)
      expect(await session.store.catalog.listTables(OWN_CALL)).toEqual([])
      await session.create()
      expect(await failure(session.store.catalog.modifyTable(described('t', families), OWN_CALL))).toMatch(
        message,
      )
      expect(await session.store.catalog.table(session.table, OWN_CALL)).toEqual(described('t'))
    })
  })
}
