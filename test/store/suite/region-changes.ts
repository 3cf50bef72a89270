import { describe, expect, test } from 'vitest'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import { scan } from '../../../src/model/query.ts'
import { regionName } from '../../../src/model/region-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { boundsOf } from './described-table.ts'
import { regionsOf, startSplit, upkeepOf } from './region-sessions.ts'
import { put } from './row-operations.ts'
import { bytes, drain, failure, flushTable, NO_LIMITS, type Session } from './store-under-test.ts'

const ROWS = ['a', 'b', 'm', 'n', 'z']

async function seen(session: Session, reversed = false): Promise<string> {
  return (await session.scan({ reversed })).map((text) => text.split('/')[0]).join(' ')
}

/** Splits, merges, regions closed and opened. */
export function describeRegionChanges(start: () => Promise<Session>): void {
  describe('a split', () => {
    test('leaves two regions with all rows, and the names that HBase gives', async () => {
      const session = await startSplit(start)
      const [first, second] = await regionsOf(session)
      if (session.has('stillTime')) session.clock.time += 5
      await upkeepOf(session).splitTable(session.table, bytes('n'), OWN_CALL)
      const regions = await regionsOf(session)
      expect(boundsOf(regions)).toEqual(['..m', 'm..n', 'n..x', 'x..'])
      expect(regions[0]).toEqual(first)
      const { regionId } = regions[1]!
      expect(regionId).toBeGreaterThan(second!.regionId)
      if (session.has('stillTime')) expect(regionId).toBe(session.clock.time)
      for (const daughter of regions.slice(1, 3)) {
        expect(daughter).toMatchObject({
          regionId,
          ...regionName(session.table, daughter.startKey, regionId),
        })
      }
      expect(await seen(session)).toBe('a b m n z')
      expect(await seen(session, true)).toBe('z n m b a')
      expect(await session.get('m')).toEqual(['m/f:q@5=v'])
      expect(await failure(upkeepOf(session).splitRegion(second!.name, undefined, OWN_CALL))).toMatch(
        /^DO_NOT_RETRY/,
      )
      await session.reopen()
      expect(boundsOf(await regionsOf(session))).toEqual(['..m', 'm..n', 'n..x', 'x..'])
      expect(await seen(session)).toBe('a b m n z')
    })

    test('of a region that is younger than the clock says', async () => {
      const session = await startSplit(start, [])
      const [whole] = await regionsOf(session)
      session.clock.time -= 1000
      await upkeepOf(session).splitRegion(bytes(whole!.encodedName), bytes('m'), OWN_CALL)
      expect((await regionsOf(session)).map(({ regionId }) => regionId)).toEqual([
        whole!.regionId + 1,
        whole!.regionId + 1,
      ])
    })

    test('writes go on in the halves, and are split again', async () => {
      const session = await startSplit(start, [])
      session.needs('splitsAtOnce')
      await upkeepOf(session).splitTable(session.table, bytes('m'), OWN_CALL)
      for (const row of ROWS) await session.put(row, 'f:q', 'new', 6n)
      await session.put('c', 'f:q', 'new', 6n)
      await upkeepOf(session).splitTable(session.table, bytes('b'), OWN_CALL)
      await upkeepOf(session).splitTable(session.table, bytes('n'), OWN_CALL)
      await session.settle()
      expect(boundsOf(await regionsOf(session))).toEqual(['..b', 'b..m', 'm..n', 'n..'])
      expect(await session.scan()).toEqual(['a', 'b', 'c', 'm', 'n', 'z'].map((row) => `${row}/f:q@6=new`))
      expect(
        await session.scan({ maxVersions: 5, raw: true, startRow: bytes('m'), stopRow: bytes('n') }),
      ).toEqual([expect.stringMatching(/^m\/f:q@6=new/)])
    })

    test('an open scanner goes on through it', async () => {
      const session = await startSplit(start, [])
      session.needs('splitsAtOnce')
      const scanners = await Promise.all(
        [false, true].map((reversed) =>
          openScanner(session.store, session.table, scan({ reversed }), OWN_CALL),
        ),
      )
      const limits = { ...NO_LIMITS, rows: 1 }
      for (const scanner of scanners) await scanner.next(limits, OWN_CALL)
      await upkeepOf(session).splitTable(session.table, bytes('m'), OWN_CALL)
      await flushTable(session.store, session.table)
      const [first, second] = await regionsOf(session)
      await upkeepOf(session).mergeRegions([first!.name, second!.name], false, OWN_CALL)
      const rest = await Promise.all(scanners.map((scanner) => drain(scanner, limits)))
      expect(rest.map((texts) => texts.map((text) => text[0]).join(''))).toEqual(['bmnz', 'nmba'])
    })

    test('writes at the same time are neither lost nor made twice', async () => {
      const session = await startSplit(start, [])
      session.needs('splitsAtOnce')
      const counter = (row: string): Promise<unknown> =>
        session.store.rows.mutateRow(
          session.table,
          {
            row: bytes(row),
            operations: [{ ...put(row, 'f:n', '\0\0\0\0\0\0\0\x01'), kind: 'increment' }],
            options: { durability: 'USE_DEFAULT' },
          },
          OWN_CALL,
        )
      const write = async (worker: number): Promise<void> => {
        for (let i = 0; i < 10; i++) {
          await counter(i % 2 === 0 ? 'a' : 'z')
          await session.put(`r${worker}${i}`, 'f:q', 'v', 5n)
        }
      }
      const change = async (): Promise<void> => {
        for (const row of ['m', 'b', 'r5'])
          await upkeepOf(session).splitTable(session.table, bytes(row), OWN_CALL)
        const [first, second] = await regionsOf(session)
        await upkeepOf(session).mergeRegions([first!.name, second!.name], false, OWN_CALL)
      }
      await Promise.all([...Array.from({ length: 10 }, (_, worker) => write(worker)), change()])
      expect(boundsOf(await regionsOf(session))).toEqual(['..m', 'm..r5', 'r5..'])
      for (const row of ['a', 'z']) {
        const [cell] = (await session.get(row)).filter((text) => text.includes('f:n'))
        expect(cell).toMatch(/=\\x00\\x00\\x00\\x00\\x00\\x00\\x002$/)
      }
      expect((await session.scan()).filter((text) => text.startsWith('r'))).toHaveLength(100)
    })
  })

  describe('a merge', () => {
    test('leaves one region, whose id is one more than the greatest', async () => {
      const session = await startSplit(start)
      const [first, second, third] = await regionsOf(session)
      const names = [third!.name, second!.name, bytes(first!.encodedName)]
      await upkeepOf(session).mergeRegions(names, false, OWN_CALL)
      await session.settle()
      const [merged, ...others] = await regionsOf(session)
      expect(others).toEqual([])
      const regionId = first!.regionId + 1
      expect(merged).toMatchObject({ regionId, ...regionName(session.table, bytes(''), regionId) })
      expect(await seen(session)).toBe('a b m n z')
      await session.put('b', 'f:q', 'new', 6n)
      await session.settle()
      expect(await session.get('b')).toEqual(['b/f:q@6=new'])
    })

    test('of what a split has parted', async () => {
      const session = await startSplit(start, [])
      session.needs('splitsAtOnce')
      await upkeepOf(session).splitTable(session.table, bytes('m'), OWN_CALL)
      await session.change((batch) => batch.deleteRow(bytes('n')))
      const [first, second] = await regionsOf(session)
      await upkeepOf(session).mergeRegions([first!.name, second!.name], false, OWN_CALL)
      await session.settle()
      expect(await seen(session)).toBe('a b m z')
      expect(await seen(session, true)).toBe('z m b a')
    })
  })

  describe('a truncated region', () => {
    test('has lost its rows alone, those in files too, and takes new ones', async () => {
      const session = await startSplit(start)
      await flushTable(session.store, session.table)
      await session.put('n', 'f:q', 'unflushed', 7n)
      const before = await regionsOf(session)
      await upkeepOf(session).truncateRegion(before[1]!.name, OWN_CALL)
      const after = await regionsOf(session)
      expect(boundsOf(after)).toEqual(boundsOf(before))
      expect([after[0], after[2]]).toEqual([before[0], before[2]])
      expect(await seen(session)).toBe('a b z')
      await session.reopen()
      expect(await seen(session)).toBe('a b z')
      await session.put('n', 'f:q', 'new', 5n)
      await session.reopen()
      expect(await session.get('n')).toEqual(['n/f:q@5=new'])
    })

    test('was not open, or not there', async () => {
      const session = await startSplit(start)
      const [first] = await regionsOf(session)
      expect(await failure(upkeepOf(session).truncateRegion(bytes('0'.repeat(32)), OWN_CALL))).toMatch(
        /^DO_NOT_RETRY/,
      )
      await session.store.catalog.disableTable(session.table, OWN_CALL)
      expect(await failure(upkeepOf(session).truncateRegion(first!.name, OWN_CALL))).toBe(
        'TABLE_NOT_ENABLED: t',
      )
    })
  })

  describe('a region closed by itself', () => {
    test('serves nothing until it is opened', async () => {
      const session = await startSplit(start)
      const middle = (await regionsOf(session))[1]!
      const { encodedName } = middle
      await upkeepOf(session).unassignRegion(middle.name, OWN_CALL)
      if (session.has('stillTime')) {
        for (const again of [false, true]) {
          if (again) await session.reopen()
          expect(await failure(session.get('m'))).toMatch(/^NOT_SERVING_REGION/)
          expect(await failure(session.put('m', 'f:q', 'v'))).toMatch(/^NOT_SERVING_REGION/)
          expect(await failure(session.scan())).toMatch(/^NOT_SERVING_REGION/)
        }
      }
      expect(await session.get('a')).toEqual(['a/f:q@5=v'])
      await upkeepOf(session).assignRegion(middle.name, OWN_CALL)
      expect(await seen(session)).toBe('a b m n z')
      await upkeepOf(session).moveRegion(bytes(encodedName), undefined, OWN_CALL)
      expect(await seen(session)).toBe('a b m n z')
    })

    test('is opened with its table', async () => {
      const session = await startSplit(start)
      const middle = (await regionsOf(session))[1]!
      await upkeepOf(session).unassignRegion(middle.name, OWN_CALL)
      await session.store.catalog.disableTable(session.table, OWN_CALL)
      await session.store.catalog.enableTable(session.table, OWN_CALL)
      expect(await seen(session)).toBe('a b m n z')
      await session.reopen()
      expect(await seen(session)).toBe('a b m n z')
    })
  })
}
