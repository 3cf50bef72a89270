import { describe, expect, test } from 'vitest'
import type { Scanner } from '../../../src/gateway/reads/scanner.ts'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { get, scan } from '../../../src/model/query.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { ScanLimits } from '../../../src/store/handouts.ts'
import {
  bytes,
  drain,
  failure,
  flushTable,
  NO_GET_LIMITS,
  NO_LIMITS,
  resultTexts,
  type Session,
} from './store-under-test.ts'

const ONE_ROW: ScanLimits = { ...NO_LIMITS, rows: 1 }

async function fiveRows(session: Session): Promise<void> {
  await session.create(['f', 'g'])
  for (let i = 0; i < 5; i++) {
    await session.put(`r${i}`, 'f:q', 'x', 5n)
    await session.put(`r${i}`, 'g:q', 'x', 5n)
  }
}

async function rowsOf(scanner: Scanner, limits = ONE_ROW): Promise<string[]> {
  return (await drain(scanner, limits)).map((text) => text.slice(0, text.indexOf('/')))
}

/** Concurrent events: scanners beside writes, tables that disappear, stores that are closed. */
export function describeLifecycle(start: () => Promise<Session>): void {
  describe('open scanners', () => {
    test('see the table as it was when they were opened', async () => {
      const session = await start()
      await fiveRows(session)
      const scanner = await openScanner(session.store, session.table, scan(), OWN_CALL)
      const first = await scanner.next(ONE_ROW, OWN_CALL)
      expect(resultTexts(first.results)).toEqual(['r0/f:q@5=x r0/g:q@5=x'])
      await session.put('r2', 'f:q2', 'late', 6n)
      await session.put('r35', 'f:q', 'late', 6n)
      await session.change((batch) => batch.deleteRow(bytes('r4')))
      await flushTable(session.store, session.table)
      await session.put('r3', 'f:q', 'late', 5n)
      expect(await drain(scanner, ONE_ROW)).toEqual(
        ['r1', 'r2', 'r3', 'r4'].map((row) => `${row}/f:q@5=x ${row}/g:q@5=x`),
      )
      expect(await session.scan()).toEqual([
        'r0/f:q@5=x r0/g:q@5=x',
        'r1/f:q@5=x r1/g:q@5=x',
        'r2/f:q@5=x r2/f:q2@6=late r2/g:q@5=x',
        'r3/f:q@5=late r3/g:q@5=x',
        'r35/f:q@6=late',
      ])
    })

    test('never see a part of a row', async () => {
      const session = await start()
      await session.create(['f', 'g'])
      const write = async (version: number): Promise<void> =>
        session.change((batch) => {
          for (const family of ['f', 'g']) {
            for (let i = 0; i < 20; i++) {
              batch.put(
                bytes('r'),
                bytes(family),
                bytes(`q${i}`),
                bytes(String(version)),
                BigInt(version + 1),
              )
            }
          }
        })
      await write(0)
      const readers = Array.from({ length: 20 }, async (_, i) => {
        const scanner = await openScanner(session.store, session.table, scan({ batch: 7 }), OWN_CALL)
        const texts: string[] = []
        for (;;) {
          const { results, ended } = await scanner.next(ONE_ROW, OWN_CALL)
          texts.push(...resultTexts(results))
          await write(i + 1)
          if (i % 5 === 0 && session.has('flushesAtOnce')) await flushTable(session.store, session.table)
          if (ended === 'scan') break
        }
        await scanner.close()
        const versions = new Set(texts.join(' ').match(/(?<==)\d+/g))
        expect(versions.size).toBe(1)
        expect(texts.join(' ').split(' ')).toHaveLength(40)
      })
      await Promise.all(readers)
    })

    test('many at a time, each at its place', async () => {
      const session = await start()
      await fiveRows(session)
      const scanners = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          openScanner(session.store, session.table, scan({ reversed: i % 2 === 1 }), OWN_CALL),
        ),
      )
      const rows = await Promise.all(scanners.map((scanner) => rowsOf(scanner)))
      const order = ['r0', 'r1', 'r2', 'r3', 'r4']
      expect(rows).toEqual(scanners.map((_, i) => (i % 2 === 1 ? order.toReversed() : order)))
    })

    test('are closed twice without harm, and then have nothing more', async () => {
      const session = await start()
      await fiveRows(session)
      const scanner = await openScanner(session.store, session.table, scan(), OWN_CALL)
      await scanner.next(ONE_ROW, OWN_CALL)
      await scanner.close()
      await scanner.close()
      expect(await failure(scanner.next(ONE_ROW, OWN_CALL))).toMatch(/^UNKNOWN_SCANNER/)
    })

    test('of a disabled table', async () => {
      const session = await start()
      session.needs('scannersOfGoneTables')
      await fiveRows(session)
      const scanner = await openScanner(session.store, session.table, scan(), OWN_CALL)
      await scanner.next(ONE_ROW, OWN_CALL)
      await session.store.catalog.disableTable(session.table, OWN_CALL)
      expect(await failure(scanner.next(ONE_ROW, OWN_CALL))).toMatch(
        /^(TABLE_NOT_ENABLED|NOT_SERVING_REGION)/,
      )
      await scanner.close()
    })

    test('of a deleted table', async () => {
      const session = await start()
      session.needs('scannersOfGoneTables')
      await fiveRows(session)
      const scanner = await openScanner(session.store, session.table, scan(), OWN_CALL)
      await scanner.next(ONE_ROW, OWN_CALL)
      await session.store.catalog.disableTable(session.table, OWN_CALL)
      await session.store.catalog.deleteTable(session.table, OWN_CALL)
      expect(await failure(scanner.next(ONE_ROW, OWN_CALL))).toMatch(/^(TABLE_NOT_FOUND|NOT_SERVING_REGION)/)
      await session.create()
      expect(await failure(scanner.next(ONE_ROW, OWN_CALL))).toMatch(/^NOT_SERVING_REGION/)
      await scanner.close()
    })
  })

  describe('calls that overlap', () => {
    test('writes to many tables at once', async () => {
      const session = await start()
      const names = ['a', 'b', 'c', 'd']
      await Promise.all(
        names.map(async (name) => {
          const other = session.on(name)
          await other.create()
          await Promise.all(Array.from({ length: 25 }, (_, i) => other.put(`r${i}`, 'f:q', name, 5n)))
        }),
      )
      for (const name of names) {
        const rows = await session.on(name).scan()
        expect(rows).toHaveLength(25)
        expect(rows.every((text) => text.endsWith(`=${name}`))).toBe(true)
      }
    })

    test('one table is made once', async () => {
      const session = await start()
      session.needs('onlyOneCreation')
      const { store, table } = session
      const described = tableDescriptor(table, [familyDescriptor('f')])
      const made = await Promise.allSettled(
        Array.from({ length: 5 }, () => store.catalog.createTable(described, [], OWN_CALL)),
      )
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    })
  })

  test('a closed store takes no more calls', async () => {
    const session = await start()
    await fiveRows(session)
    const { store, table } = session
    await store.close()
    const batch = new MutationBatch()
    batch.put(bytes('r'), bytes('f'), bytes('q'), bytes('v')).endMutation()
    const calls = [
      store.catalog.listNamespaces(OWN_CALL),
      store.catalog.namespace('default', OWN_CALL),
      store.catalog.createNamespace({ name: 'ns', properties: new Map() }, OWN_CALL),
      store.catalog.listTables(OWN_CALL),
      store.catalog.table(table, OWN_CALL),
      store.catalog.tableExists(table, OWN_CALL),
      store.catalog.tableState(table, OWN_CALL),
      store.catalog.createTable(tableDescriptor(table, [familyDescriptor('f')]), [], OWN_CALL),
      store.catalog.disableTable(table, OWN_CALL),
      store.catalog.regions(table, OWN_CALL),
      flushTable(store, table),
      store.rows.get(table, [get(bytes('r0'))], NO_GET_LIMITS, OWN_CALL),
      openScanner(store, table, scan(), OWN_CALL),
      store.rows.mutate(table, batch, OWN_CALL),
      store.rows.mutateRow(
        table,
        { row: bytes('r'), operations: [], options: { durability: 'USE_DEFAULT' } },
        OWN_CALL,
      ),
    ]
    for (const text of await Promise.all(calls.map(failure))) expect(text).toMatch(/^UNAVAILABLE/)
  })
}
