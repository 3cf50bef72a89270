import { describe, expect, test } from 'vitest'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import { ALL_VERSIONS, scan } from '../../../src/model/query.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Compaction } from '../../../src/store/upkeep.ts'
import { rawCells } from './flushes.ts'
import { bytes, compactTable, drain, failure, flushTable, type Session } from './store-under-test.ts'
import { type Change, columnDelete, versionDelete } from './tombstones.ts'

const [R, F] = [bytes('r'), bytes('f')]
const DAY_SECONDS = '86400'
/** In the year 2096: no clock has passed it by a day. */
const LATER = 4_000_000_000_000n

/** A put of f:q at each time, its value the time; or a deletion; or a flush. */
type Step = bigint | 'flush' | Change

/** Name, attributes of the family, steps, and all that a raw scan finds after a flush and a major compaction. */
const LEFT_BY_A_MAJOR_COMPACTION: [string, Record<string, string>, Step[], string][] = [
  [
    'as many versions as the family keeps, whatever file they were in',
    { VERSIONS: '2' },
    [1n, 'flush', 3n, 'flush', 2n, 4n],
    '@4=4 @3=3',
  ],
  ['the newest of several cells of one key', { VERSIONS: '5' }, [7n, 'flush', 7n, 'flush', 6n], '@7=7 @6=6'],
  [
    'no tombstone, and nothing that one hides',
    { VERSIONS: '5' },
    [1n, 2n, 'flush', 3n, columnDelete(2n)],
    '@3=3',
  ],
  [
    'no tombstone of one version',
    { VERSIONS: '5' },
    [1n, 2n, 'flush', versionDelete(2n), 'flush', 3n],
    '@3=3 @1=1',
  ],
  ['nothing, where all was deleted', {}, [1n, 'flush', columnDelete(2n)], ''],
  ['nothing, of a file as of many', { VERSIONS: '5' }, [columnDelete(9n)], ''],
  [
    'in a family that keeps deleted cells, tombstones with what they hide',
    { VERSIONS: '5', KEEP_DELETED_CELLS: 'TRUE' },
    [1n, 2n, 'flush', 3n, columnDelete(2n)],
    '@3=3 @2 DeleteColumn @2=2 @1=1',
  ],
  [
    'no tombstone there that is older than all puts',
    { VERSIONS: '5', KEEP_DELETED_CELLS: 'TRUE' },
    [3n, 'flush', columnDelete(2n), versionDelete(1n)],
    '@3=3',
  ],
  [
    'no tombstone there that stands behind the last version that the family keeps',
    { VERSIONS: '1', KEEP_DELETED_CELLS: 'TRUE' },
    [1n, 'flush', 4n, versionDelete(3n), 'flush', 2n, versionDelete(2n)],
    '@4=4 @3 Delete @2 Delete',
  ],
  [
    'fresh tombstones in a family that keeps deleted cells until they expire',
    { VERSIONS: '5', KEEP_DELETED_CELLS: 'TTL', TTL: DAY_SECONDS },
    [LATER, 'flush', columnDelete(LATER + 1n)],
    `@${LATER + 1n} DeleteColumn @${LATER}=${LATER}`,
  ],
  [
    'no expired tombstone there',
    { VERSIONS: '5', KEEP_DELETED_CELLS: 'TTL', TTL: DAY_SECONDS, MIN_VERSIONS: '3' },
    [1n, 2n, 3n, 'flush', columnDelete(2n)],
    '@3=3',
  ],
  ['no expired cell', { VERSIONS: '5', TTL: DAY_SECONDS }, [1n, 'flush', 2n, LATER], `@${LATER}=${LATER}`],
  [
    'MIN_VERSIONS of expired cells',
    { VERSIONS: '5', TTL: DAY_SECONDS, MIN_VERSIONS: '2' },
    [1n, 'flush', 2n, 'flush', 3n],
    '@3=3 @2=2',
  ],
]

async function compact({ store, table }: Session, compaction: Compaction): Promise<void> {
  await compactTable(store, table, compaction)
}

async function take(session: Session, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (step === 'flush') await flushTable(session.store, session.table)
    else if (typeof step === 'bigint') await session.put('r', 'f:q', String(step), step)
    else await session.change(step)
  }
}

/** The cells that compactions leave. HBase: MajorCompactionScanQueryMatcher, MinorCompactionScanQueryMatcher. */
export function describeCompactions(begin: () => Promise<Session>): void {
  const start = async (): Promise<Session> => {
    const session = await begin()
    session.needsUpkeep('compactions')
    return session
  }
  describe('a major compaction leaves', () => {
    test.each(LEFT_BY_A_MAJOR_COMPACTION)('%s', async (_, attributes, steps, left) => {
      const session = await start()
      await session.create(['f'], attributes)
      await take(session, [...steps, 'flush'])
      await compact(session, { major: true })
      expect(await rawCells(session)).toBe(left)
    })

    test('what the memstore has, and what that hides', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '5' })
      await take(session, [1n, 'flush', 2n, columnDelete(1n)])
      await compact(session, { major: true })
      expect(await rawCells(session)).toBe('@2=2 @1 DeleteColumn @1=1')
      expect(await session.get('r', { maxVersions: ALL_VERSIONS })).toEqual(['r/f:q@2=2'])
    })

    test('no tombstones of families, and nothing that they hide', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '5' })
      for (const column of ['f:', 'f:p', 'f:q']) await session.putVersions('r', column, 1n, 2n, 3n, 4n)
      await flushTable(session.store, session.table)
      await session.change((batch) => batch.deleteFamily(R, F, 1n))
      await session.change((batch) => batch.deleteFamilyVersion(R, F, 3n))
      await flushTable(session.store, session.table)
      await compact(session, { major: true })
      expect(await rawCells(session)).toBe(':@4=4 :@2=2 :p@4=4 :p@2=2 @4=4 @2=2')
    })

    test('no surplus version for a read of its time, and what was hidden stays so', async () => {
      const session = await start()
      await session.create()
      await take(session, [1n, 'flush', 2n, 'flush'])
      const past = { timeRange: TimeRange.between(0n, 2n) }
      expect(await session.get('r', past)).toEqual(['r/f:q@1=1'])
      await compact(session, { major: true })
      expect(await session.get('r', past)).toEqual([])
      await take(session, [versionDelete(2n)])
      expect(await session.get('r')).toEqual([])
    })

    test('other families as they are', async () => {
      const session = await start()
      await session.create(['f', 'g'])
      for (const column of ['f:q', 'g:q']) {
        await session.putVersions('r', column, 1n)
        await flushTable(session.store, session.table)
        await session.putVersions('r', column, 2n)
      }
      await flushTable(session.store, session.table)
      await compact(session, { major: true, family: F })
      expect(await session.scan({ raw: true, maxVersions: ALL_VERSIONS })).toEqual([
        'r/f:q@2=2 r/g:q@2=2 r/g:q@1=1',
      ])
    })

    test('what an open scanner sees', async () => {
      const session = await start()
      await session.create()
      await take(session, [1n, 'flush'])
      const scanner = await openScanner(session.store, session.table, scan(), OWN_CALL)
      await take(session, [2n, 'flush', columnDelete(9n), 'flush'])
      await compact(session, { major: true })
      expect(await drain(scanner)).toEqual(['r/f:q@1=1'])
      expect(await session.get('r')).toEqual([])
    })
  })

  describe('a compaction', () => {
    test('that is no major one does nothing to two files', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '5' })
      await take(session, [1n, 'flush', columnDelete(1n), 'flush'])
      await compact(session, { major: false })
      expect(await rawCells(session)).toBe('@1 DeleteColumn @1=1')
    })

    test('of a table or family that is not there, or a table that is disabled, is refused', async () => {
      const session = await start()
      const { compactions } = session.store.upkeep
      const compact = (compaction: Compaction): Promise<void> =>
        compactions!.compactTable(session.table, compaction, OWN_CALL)
      expect(await failure(compact({ major: true }))).toContain('TABLE_NOT_FOUND')
      expect(await failure(compactions!.compactionState(session.table, OWN_CALL))).toContain(
        'TABLE_NOT_FOUND',
      )
      await session.create()
      expect(await failure(compact({ major: true, family: bytes('x') }))).toContain('NO_SUCH_COLUMN_FAMILY')
      await session.store.catalog.disableTable(session.table, OWN_CALL)
      expect(await failure(compact({ major: true }))).toContain('TABLE_NOT_ENABLED')
      const missing = compactions!.compactRegion(bytes('none'), { major: true }, OWN_CALL)
      expect(await failure(missing)).toContain('ILLEGAL_ARGUMENT')
    })
  })
}
