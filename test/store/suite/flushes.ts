import { describe, expect, test } from 'vitest'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import { ALL_VERSIONS, scan } from '../../../src/model/query.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { bytes, drain, flushTable, type Session } from './store-under-test.ts'
import { type Change, columnDelete, versionDelete } from './tombstones.ts'

const [R, F, P] = [bytes('r'), bytes('f'), bytes('p')]
const DAY_SECONDS = '86400'
/** In the year 2096: no clock has passed it by a day. */
const LATER = 4_000_000_000_000n

/** A put of f:q at each time, its value the time; or a deletion. */
type Write = bigint | Change

/** Name, attributes of the family, writes, and all that a raw scan finds after a flush. */
const LEFT_BY_A_FLUSH: [string, Record<string, string>, Write[], string][] = [
  ['as many versions as the family keeps', { VERSIONS: '2' }, [1n, 2n, 3n, 4n], '@4=4 @3=3'],
  ['the newest of several cells of one key', { VERSIONS: '5' }, [7n, 7n], '@7=7'],
  [
    'a tombstone, without the versions that it hides',
    { VERSIONS: '5' },
    [1n, 2n, 3n, columnDelete(2n)],
    '@3=3 @2 DeleteColumn',
  ],
  [
    'a tombstone of one version, without that version',
    { VERSIONS: '5' },
    [1n, 2n, 3n, versionDelete(2n)],
    '@3=3 @2 Delete @1=1',
  ],
  [
    'tombstones that hide nothing',
    { VERSIONS: '5' },
    [versionDelete(9n), 3n, columnDelete(1n)],
    '@9 Delete @3=3 @1 DeleteColumn',
  ],
  [
    'in a family that keeps deleted cells, what tombstones hide',
    { VERSIONS: '5', KEEP_DELETED_CELLS: 'TRUE' },
    [1n, 2n, 3n, columnDelete(2n)],
    '@3=3 @2 DeleteColumn @2=2 @1=1',
  ],
  [
    'in a family that keeps deleted cells until they expire, what fresh tombstones hide',
    { VERSIONS: '5', KEEP_DELETED_CELLS: 'TTL', TTL: DAY_SECONDS },
    [LATER, LATER + 1n, columnDelete(LATER + 2n)],
    `@${LATER + 2n} DeleteColumn @${LATER + 1n}=${LATER + 1n} @${LATER}=${LATER}`,
  ],
  [
    'nothing that expired tombstones hide there',
    { VERSIONS: '5', KEEP_DELETED_CELLS: 'TTL', TTL: DAY_SECONDS, MIN_VERSIONS: '3' },
    [1n, 2n, 3n, columnDelete(2n)],
    '@3=3 @2 DeleteColumn',
  ],
  [
    'no expired cell, tombstone or not',
    { VERSIONS: '5', TTL: DAY_SECONDS },
    [1n, 2n, LATER, columnDelete(1n)],
    `@${LATER}=${LATER}`,
  ],
  [
    'MIN_VERSIONS of expired cells',
    { VERSIONS: '5', TTL: DAY_SECONDS, MIN_VERSIONS: '2' },
    [1n, 2n, 3n],
    '@3=3 @2=2',
  ],
  [
    'no tombstone older than the last version that the family keeps',
    { VERSIONS: '1' },
    [5n, 4n, columnDelete(3n)],
    '@5=5',
  ],
  [
    'a tombstone between kept versions',
    { VERSIONS: '2' },
    [5n, versionDelete(4n), 3n, versionDelete(2n)],
    '@5=5 @4 Delete @3=3 @2 Delete',
  ],
  [
    'no tombstone older than one of the whole column',
    { VERSIONS: '5' },
    [columnDelete(5n), 4n, versionDelete(3n)],
    '@5 DeleteColumn',
  ],
  [
    'all cells of a family with NEW_VERSION_BEHAVIOR',
    { VERSIONS: '1', NEW_VERSION_BEHAVIOR: 'true' },
    [1n, 2n, 3n, versionDelete(2n)],
    '@3=3 @2 Delete @2=2 @1=1',
  ],
]

async function write(session: Session, writes: readonly Write[]): Promise<void> {
  for (const step of writes) {
    if (typeof step === 'bigint') await session.put('r', 'f:q', String(step), step)
    else await session.change(step)
  }
}

/** All cells of all rows, without row and family. */
export async function rawCells(session: Session): Promise<string> {
  const rows = await session.scan({ raw: true, maxVersions: ALL_VERSIONS })
  return rows.join(' ').replaceAll('r/f:q@', '@').replaceAll('r/f:', ':')
}

/** A region that closes is flushed before. HBase: HRegion.close. */
const CLOSINGS: readonly [string, (session: Session) => Promise<void>][] = [
  [
    'disabled and enabled again',
    async ({ store: { catalog }, table }) => {
      await catalog.disableTable(table, OWN_CALL)
      await catalog.enableTable(table, OWN_CALL)
    },
  ],
  [
    'altered, by the rules that it had before',
    async ({ store: { catalog }, table }) => {
      const { families, attributes } = await catalog.table(table, OWN_CALL)
      const more = families.map(({ name, attributes: own }) => ({
        name,
        attributes: new Map([...own, ['VERSIONS', '7']]),
      }))
      await catalog.modifyTable({ name: table, families: more, attributes }, OWN_CALL)
    },
  ],
]

/** The cells that a flush leaves, and those that it drops. HBase: MinorCompactionScanQueryMatcher. */
export function describeFlushes(begin: () => Promise<Session>): void {
  const start = async (): Promise<Session> => {
    const session = await begin()
    session.needsUpkeep('flushes')
    return session
  }
  describe('a flush leaves', () => {
    test.each(LEFT_BY_A_FLUSH)('%s', async (_, attributes, writes, left) => {
      const session = await start()
      await session.create(['f'], attributes)
      await write(session, writes)
      await flushTable(session.store, session.table)
      expect(await rawCells(session)).toBe(left)
    })

    test.each(CLOSINGS)('the same where a table is %s', async (_, close) => {
      const first = await start()
      const checks = LEFT_BY_A_FLUSH.map(async ([, attributes, writes, left], index) => {
        const session = first.on(`t${index}`)
        await session.create(['f'], attributes)
        await write(session, writes)
        await close(session)
        expect(await rawCells(session)).toBe(left)
      })
      await Promise.all(checks)
    })

    test.each(CLOSINGS)(
      'no fourth of 3 VERSIONS behind a deleted one where a table is %s',
      async (_, close) => {
        const session = await start()
        await session.create(['f'], { VERSIONS: '3' })
        await write(session, [1n, 2n, 3n, 4n, 5n, versionDelete(5n)])
        expect(await session.get('r', { timeRange: TimeRange.between(0n, 2n) })).toEqual(['r/f:q@1=1'])
        await close(session)
        expect(await session.get('r', { timeRange: TimeRange.between(0n, 2n) })).toEqual([])
        expect(await session.get('r', { timeRange: TimeRange.between(0n, 4n), maxVersions: 3 })).toEqual([
          'r/f:q@3=3',
          'r/f:q@2=2',
        ])
      },
    )

    test('nothing else of a region that was closed, or of a table that was disabled already', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '1' })
      const { catalog } = session.store
      await catalog.disableTable(session.table, OWN_CALL)
      await catalog.modifyTable(await catalog.table(session.table, OWN_CALL), OWN_CALL)
      await catalog.enableTable(session.table, OWN_CALL)
      await write(session, [1n, 2n])
      expect(await rawCells(session)).toBe('@2=2 @1=1')
    })

    test('tombstones of a family and of a version of it, without what they hide', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '5' })
      for (const column of ['f:', 'f:p', 'f:q']) await session.putVersions('r', column, 1n, 2n, 3n, 4n)
      await session.change((batch) => batch.deleteFamily(R, F, 1n))
      await session.change((batch) => batch.deleteFamilyVersion(R, F, 3n))
      await flushTable(session.store, session.table)
      expect(await rawCells(session)).toBe(
        ':@4=4 :@3 DeleteFamilyVersion :@2=2 :@1 DeleteFamily :p@4=4 :p@2=2 @4=4 @2=2',
      )
    })

    test('tombstones of the column without a qualifier, old ones too', async () => {
      const session = await start()
      await session.create()
      await session.putVersions('r', 'f:', 5n, 4n)
      await session.change((batch) => batch.deleteVersion(R, F, bytes(''), 3n))
      await flushTable(session.store, session.table)
      expect(await rawCells(session)).toBe(':@5=5 :@3 Delete')
    })

    test('what tombstones of other flushes hide', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '5' })
      await write(session, [1n, 2n])
      await flushTable(session.store, session.table)
      await write(session, [columnDelete(2n)])
      await flushTable(session.store, session.table)
      await write(session, [1n])
      await flushTable(session.store, session.table)
      expect(await rawCells(session)).toBe('@2 DeleteColumn @2=2 @1=1')
    })

    test('what a cell with a TTL of its own had overwritten, once that has expired', async () => {
      const session = await start()
      await session.create()
      await write(session, [5n])
      await session.put('r', 'f:q', 'short', 5n, 10)
      await flushTable(session.store, session.table)
      expect(await rawCells(session)).toBe('@5=5')
    })

    test('no surplus version for a read of its time, and none behind a deleted one', async () => {
      const session = await start()
      await session.create()
      await write(session, [1n, 2n])
      await flushTable(session.store, session.table)
      expect(await session.get('r', { timeRange: TimeRange.between(0n, 2n) })).toEqual([])
      await write(session, [versionDelete(2n)])
      expect(await session.get('r')).toEqual([])
    })

    test('each row and column its own', async () => {
      const session = await start()
      await session.create()
      for (const row of ['a', 'b'])
        for (const column of ['f:p', 'f:q']) await session.putVersions(row, column, 1n, 2n)
      await session.change((batch) => batch.deleteColumn(bytes('a'), F, P, 2n))
      await flushTable(session.store, session.table)
      expect(await session.scan({ raw: true, maxVersions: ALL_VERSIONS })).toEqual([
        'a/f:p@2 DeleteColumn a/f:q@2=2',
        'b/f:p@2=2 b/f:q@2=2',
      ])
    })

    test('what a scanner opened before may see', async () => {
      const session = await start()
      await session.create()
      await write(session, [1n])
      const scanner = await openScanner(session.store, session.table, scan(), OWN_CALL)
      await write(session, [2n, 3n, versionDelete(1n)])
      await flushTable(session.store, session.table)
      // A cluster's scanner has read the few cells, and is closed there.
      const left = session.has('scannersOfGoneTables') ? '@3=3 @2=2 @1 Delete @1=1' : '@3=3'
      expect(await rawCells(session)).toBe(left)
      expect(await drain(scanner)).toEqual(['r/f:q@1=1'])
    })
  })
}
