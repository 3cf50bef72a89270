import { describe, expect, test } from 'vitest'
import { parseTableName } from '../../../src/model/table-name.ts'
import { described } from './described-table.ts'
import { failure, type Session } from './store-under-test.ts'

/** Namespaces: the two that are always there, and those that are made. */
export function describeNamespaces(start: () => Promise<Session>): void {
  describe('namespaces', () => {
    test('default and hbase are there, and stay', async () => {
      const { store } = await start()
      expect((await store.listNamespaces()).map(({ name }) => name)).toEqual(['default', 'hbase'])
      expect(await failure(store.deleteNamespace('hbase'))).toBe(
        'CONSTRAINT: Reserved namespace hbase cannot be removed.',
      )
      expect(await failure(store.deleteNamespace('default'))).toMatch(/^CONSTRAINT/)
      expect(await failure(store.createNamespace({ name: 'default', properties: new Map() }))).toBe(
        'NAMESPACE_EXISTS: Namespace default already exists',
      )
    })

    test('one is made, changed, found again and removed', async () => {
      const session = await start()
      const properties = new Map([['k', 'v']])
      await session.store.createNamespace({ name: 'ns', properties })
      await session.reopen()
      const { store } = session
      expect(await store.namespace('ns')).toEqual({ name: 'ns', properties })
      expect(await failure(store.createNamespace({ name: 'ns', properties }))).toBe(
        'NAMESPACE_EXISTS: Namespace ns already exists',
      )
      await store.modifyNamespace({ name: 'ns', properties: new Map([['k2', 'v2']]) })
      expect((await store.namespace('ns')).properties).toEqual(new Map([['k2', 'v2']]))
      expect((await store.listNamespaces()).map(({ name }) => name)).toEqual(['default', 'hbase', 'ns'])
      await store.deleteNamespace('ns')
      expect(await failure(store.namespace('ns'))).toBe('NAMESPACE_NOT_FOUND: ns')
    })

    test('one that is not there', async () => {
      const { store } = await start()
      const missing = 'NAMESPACE_NOT_FOUND: none'
      expect(await failure(store.namespace('none'))).toBe(missing)
      expect(await failure(store.modifyNamespace({ name: 'none', properties: new Map() }))).toBe(missing)
      expect(await failure(store.deleteNamespace('none'))).toBe(missing)
      expect(await failure(store.createTable(described('none:t'), []))).toBe(missing)
    })

    test('one with tables is not removed', async () => {
      const { store } = await start()
      await store.createNamespace({ name: 'ns', properties: new Map() })
      await store.createTable(described('ns:t'), [])
      expect(await failure(store.deleteNamespace('ns'))).toBe(
        'CONSTRAINT: Only empty namespaces can be removed. Namespace ns has 1 tables',
      )
      await store.disableTable(parseTableName('ns:t'))
      await store.deleteTable(parseTableName('ns:t'))
      await store.deleteNamespace('ns')
    })

    test.each([
      ['', 'Namespace name must not be empty'],
      [
        'a-b',
        "Illegal character <-> at 1. Namespaces may only contain 'alphanumeric characters' from any language and digits: a-b",
      ],
    ])('the name "%s" is refused', async (name, message) => {
      const { store } = await start()
      expect(await failure(store.createNamespace({ name, properties: new Map() }))).toBe(
        `ILLEGAL_ARGUMENT: ${message}`,
      )
    })
  })
}
