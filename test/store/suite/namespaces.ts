import { describe, expect, test } from 'vitest'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { described } from './described-table.ts'
import { failure, type Session } from './store-under-test.ts'

/** Namespaces: the two that are always there, and those that are made. */
export function describeNamespaces(start: () => Promise<Session>): void {
  describe('namespaces', () => {
    test('default and hbase are there, and stay', async () => {
      const { store } = await start()
      expect((await store.catalog.listNamespaces(OWN_CALL)).map(({ name }) => name)).toEqual([
        'default',
        'hbase',
      ])
      expect(await failure(store.catalog.deleteNamespace('hbase', OWN_CALL))).toBe(
        'CONSTRAINT: Reserved namespace hbase cannot be removed.',
      )
      expect(await failure(store.catalog.deleteNamespace('default', OWN_CALL))).toMatch(/^CONSTRAINT/)
      expect(
        await failure(store.catalog.createNamespace({ name: 'default', properties: new Map() }, OWN_CALL)),
      ).toBe('NAMESPACE_EXISTS: Namespace default already exists')
    })

    test('default and hbase have properties that change and last', async () => {
      const session = await start()
      const properties = new Map([['k', 'v']])
      for (const name of ['default', 'hbase']) {
        await session.store.catalog.modifyNamespace({ name, properties }, OWN_CALL)
      }
      await session.reopen()
      const { catalog } = session.store
      for (const name of ['default', 'hbase']) {
        expect(await catalog.namespace(name, OWN_CALL)).toEqual({ name, properties })
        await catalog.modifyNamespace({ name, properties: new Map() }, OWN_CALL)
      }
    })

    test('one is made, changed, found again and removed', async () => {
      const session = await start()
      const properties = new Map([['k', 'v']])
      await session.store.catalog.createNamespace({ name: 'ns', properties }, OWN_CALL)
      await session.reopen()
      const { store } = session
      expect(await store.catalog.namespace('ns', OWN_CALL)).toEqual({ name: 'ns', properties })
      expect(await failure(store.catalog.createNamespace({ name: 'ns', properties }, OWN_CALL))).toBe(
        'NAMESPACE_EXISTS: Namespace ns already exists',
      )
      await store.catalog.modifyNamespace({ name: 'ns', properties: new Map([['k2', 'v2']]) }, OWN_CALL)
      expect((await store.catalog.namespace('ns', OWN_CALL)).properties).toEqual(new Map([['k2', 'v2']]))
      expect((await store.catalog.listNamespaces(OWN_CALL)).map(({ name }) => name)).toEqual([
        'default',
        'hbase',
        'ns',
      ])
      await store.catalog.deleteNamespace('ns', OWN_CALL)
      expect(await failure(store.catalog.namespace('ns', OWN_CALL))).toBe('NAMESPACE_NOT_FOUND: ns')
    })

    test('one has limits of tables and regions that are numbers above 0, or none', async () => {
      const { catalog } = (await start()).store
      const [tables, regions] = ['maxtables', 'maxregions'].map((name) => `hbase.namespace.quota.${name}`)
      const made = (...properties: [string, string][]): Promise<string> =>
        failure(catalog.createNamespace({ name: 'ns', properties: new Map(properties) }, OWN_CALL))
      const less = 'is less than or equal to zero.'
      expect(await made([tables!, '0'], [regions!, '0'])).toBe(
        `CONSTRAINT: The max region quota for ns ${less}`,
      )
      expect(await made([tables!, '-1'])).toBe(`CONSTRAINT: The max tables quota for ns ${less}`)
      for (const odd of ['x', '1.5', '9223372036854775808'])
        expect(await made([regions!, odd])).toMatch(/^DO_NOT_RETRY: NumberFormatException while getting max/)
      const properties = new Map([
        [tables!, '+1'],
        [regions!, ''],
      ])
      await catalog.createNamespace({ name: 'ns', properties }, OWN_CALL)
      const odd = { name: 'ns', properties: new Map([[tables!, '0']]) }
      expect(await failure(catalog.modifyNamespace(odd, OWN_CALL))).toMatch(
        /^CONSTRAINT: The max tables quota/,
      )
      expect((await catalog.namespace('ns', OWN_CALL)).properties).toEqual(properties)
      await catalog.deleteNamespace('ns', OWN_CALL)
    })

    test('one that is not there', async () => {
      const { store } = await start()
      const missing = 'NAMESPACE_NOT_FOUND: none'
      expect(await failure(store.catalog.namespace('none', OWN_CALL))).toBe(missing)
      expect(
        await failure(store.catalog.modifyNamespace({ name: 'none', properties: new Map() }, OWN_CALL)),
      ).toBe(missing)
      expect(await failure(store.catalog.deleteNamespace('none', OWN_CALL))).toBe(missing)
      expect(await failure(store.catalog.createTable(described('none:t'), [], OWN_CALL))).toBe(missing)
    })

    test('one with tables is not removed', async () => {
      const { store } = await start()
      await store.catalog.createNamespace({ name: 'ns', properties: new Map() }, OWN_CALL)
      await store.catalog.createTable(described('ns:t'), [], OWN_CALL)
      expect(await failure(store.catalog.deleteNamespace('ns', OWN_CALL))).toBe(
        'CONSTRAINT: Only empty namespaces can be removed. Namespace ns has 1 tables',
      )
      await store.catalog.disableTable(parseTableName('ns:t'), OWN_CALL)
      await store.catalog.deleteTable(parseTableName('ns:t'), OWN_CALL)
      await store.catalog.deleteNamespace('ns', OWN_CALL)
    })

    test.each([
      ['', 'Namespace name must not be empty'],
      [
        'a-b',
        "Illegal character <-> at 1. Namespaces may only contain 'alphanumeric characters' from any language and digits: a-b",
      ],
    ])('the name "%s" is refused', async (name, message) => {
      const { store } = await start()
      expect(await failure(store.catalog.createNamespace({ name, properties: new Map() }, OWN_CALL))).toBe(
        `ILLEGAL_ARGUMENT: ${message}`,
      )
    })
  })
}
