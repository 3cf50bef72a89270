import { describe, expect, test } from 'vitest'
import type { MutationBatch } from '../../../src/model/mutation.ts'
import { ALL_VERSIONS } from '../../../src/model/query.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import { bytes, columns, flushTable, type Session } from './store-under-test.ts'

const ALL = { maxVersions: ALL_VERSIONS }
const ROW = bytes('r')
const F = bytes('f')
const Q = bytes('q')

/** Five versions, 10 to 50, of the columns f:, f:q and g:q. */
async function fiveVersions(session: Session, attributes: Record<string, string> = {}): Promise<void> {
  await session.create(['f', 'g'], { VERSIONS: '10', ...attributes })
  for (const column of ['f:', 'f:q', 'g:q']) {
    await session.putVersions('r', column, 10n, 20n, 30n, 40n, 50n)
  }
}

/** The remaining timestamps of a column. */
async function timesOf(session: Session, column: string): Promise<number[]> {
  const cells = await session.get('r', { ...ALL, ...columns(column) })
  const family = await session.get('r', { ...ALL, ...columns(column.split(':')[0]!) })
  expect(family.filter((cell) => cell.startsWith(`r/${column}@`))).toEqual(cells)
  return cells.map((cell) => Number(cell.slice(cell.indexOf('@') + 1, cell.indexOf('='))))
}

/** The cells that tombstones hide. */
export function describeDeletes(start: () => Promise<Session>): void {
  const cases: [string, (batch: MutationBatch) => void, Record<string, number[]>][] = [
    [
      'a version of a column',
      (batch) => batch.deleteVersion(ROW, F, Q, 50n),
      { 'f:': [50, 40, 30, 20, 10], 'f:q': [40, 30, 20, 10], 'g:q': [50, 40, 30, 20, 10] },
    ],
    [
      'a version that is not there',
      (batch) => batch.deleteVersion(ROW, F, Q, 45n),
      { 'f:': [50, 40, 30, 20, 10], 'f:q': [50, 40, 30, 20, 10], 'g:q': [50, 40, 30, 20, 10] },
    ],
    [
      'the newest version',
      (batch) => batch.deleteVersion(ROW, F, Q),
      { 'f:': [50, 40, 30, 20, 10], 'f:q': [40, 30, 20, 10], 'g:q': [50, 40, 30, 20, 10] },
    ],
    [
      'the newest version twice in one mutation, which are the two newest',
      (batch) => batch.deleteVersion(ROW, F, Q).deleteVersion(ROW, F, Q),
      { 'f:': [50, 40, 30, 20, 10], 'f:q': [30, 20, 10], 'g:q': [50, 40, 30, 20, 10] },
    ],
    [
      'a column up to a time',
      (batch) => batch.deleteColumn(ROW, F, Q, 30n),
      { 'f:': [50, 40, 30, 20, 10], 'f:q': [50, 40], 'g:q': [50, 40, 30, 20, 10] },
    ],
    [
      'a column',
      (batch) => batch.deleteColumn(ROW, F, Q),
      { 'f:': [50, 40, 30, 20, 10], 'f:q': [], 'g:q': [50, 40, 30, 20, 10] },
    ],
    [
      'the column of the empty qualifier',
      (batch) => batch.deleteColumn(ROW, F, bytes(''), 30n),
      { 'f:': [50, 40], 'f:q': [50, 40, 30, 20, 10], 'g:q': [50, 40, 30, 20, 10] },
    ],
    [
      'a version of a family',
      (batch) => batch.deleteFamilyVersion(ROW, F, 30n),
      { 'f:': [50, 40, 20, 10], 'f:q': [50, 40, 20, 10], 'g:q': [50, 40, 30, 20, 10] },
    ],
    [
      'two versions of a family',
      (batch) => batch.deleteFamilyVersion(ROW, F, 50n).deleteFamilyVersion(ROW, F, 20n),
      { 'f:': [40, 30, 10], 'f:q': [40, 30, 10], 'g:q': [50, 40, 30, 20, 10] },
    ],
    [
      'a family up to a time',
      (batch) => batch.deleteFamily(ROW, F, 30n),
      { 'f:': [50, 40], 'f:q': [50, 40], 'g:q': [50, 40, 30, 20, 10] },
    ],
    ['a family', (batch) => batch.deleteFamily(ROW, F), { 'f:': [], 'f:q': [], 'g:q': [50, 40, 30, 20, 10] }],
    [
      'a row up to a time',
      (batch) => batch.deleteRow(ROW, 30n),
      { 'f:': [50, 40], 'f:q': [50, 40], 'g:q': [50, 40] },
    ],
    ['a row', (batch) => batch.deleteRow(ROW), { 'f:': [], 'f:q': [], 'g:q': [] }],
    [
      'several kinds at once',
      (batch) =>
        batch.deleteFamilyVersion(ROW, F, 40n).deleteColumn(ROW, F, Q, 20n).deleteVersion(ROW, F, Q, 30n),
      { 'f:': [50, 30, 20, 10], 'f:q': [50], 'g:q': [50, 40, 30, 20, 10] },
    ],
  ]

  describe('tombstones', () => {
    test.each(cases)('delete %s', async (_, build, left) => {
      const session = await start()
      await fiveVersions(session)
      await session.change(build)
      await session.settle()
      for (const [column, times] of Object.entries(left))
        expect(await timesOf(session, column)).toEqual(times)
    })

    test.each(cases)('delete %s from store files', async (_, build, left) => {
      const session = await start()
      await fiveVersions(session)
      await flushTable(session.store, session.table)
      await session.change(build)
      await session.settle()
      for (const [column, times] of Object.entries(left))
        expect(await timesOf(session, column)).toEqual(times)
    })

    test('a delete hides what is put at or before its time afterwards', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '10' })
      await session.change((batch) =>
        batch.deleteColumn(ROW, F, Q, 20n).deleteVersion(ROW, F, bytes('p'), 20n),
      )
      for (const column of ['f:p', 'f:q']) await session.putVersions('r', column, 10n, 20n, 30n)
      await session.settle()
      expect(await session.get('r', ALL)).toEqual(['r/f:p@30=30', 'r/f:p@10=10', 'r/f:q@30=30'])
    })

    test('put and delete in one batch have one time, and the delete wins whatever their order', async () => {
      const session = await start()
      await session.create()
      await session.change((batch) =>
        batch
          .deleteColumn(ROW, F, bytes('a'))
          .put(ROW, F, bytes('a'), bytes('v'))
          .put(ROW, F, bytes('b'), bytes('v'))
          .deleteColumn(ROW, F, bytes('b'))
          .put(ROW, F, bytes('c'), bytes('v')),
      )
      await session.settle()
      expect(await session.get('r')).toEqual([`r/f:c@${session.clock.time}=v`])
    })

    test('a family tombstone behind newer versions of the empty qualifier is seen', async () => {
      const session = await start()
      await fiveVersions(session)
      await session.change((batch) => batch.deleteFamily(ROW, F, 40n))
      await session.put('r', 'f:', '60', 60n)
      await session.put('r', 'f:q', '35', 35n)
      await session.settle()
      expect(await session.get('r', columns('f'))).toEqual(['r/f:@60=60', 'r/f:q@50=50'])
      expect(await session.get('r', columns('f:', 'f:q'))).toEqual(['r/f:@60=60', 'r/f:q@50=50'])
      expect(await timesOf(session, 'f:q')).toEqual([50])
    })

    test('a tombstone after the time range hides what is in it', async () => {
      const session = await start()
      await fiveVersions(session)
      await session.change((batch) => batch.deleteColumn(ROW, F, Q, 40n))
      await session.settle()
      const timeRange = TimeRange.between(0n, 40n)
      expect(await session.get('r', { ...ALL, ...columns('f:q'), timeRange })).toEqual([])
    })

    test('a tombstone before the time range hides nothing in it', async () => {
      const session = await start()
      await fiveVersions(session)
      await session.change((batch) => batch.deleteColumn(ROW, F, Q, 20n))
      await session.settle()
      const timeRange = TimeRange.between(30n, 41n)
      expect(await session.get('r', { ...ALL, ...columns('f:q'), timeRange })).toEqual([
        'r/f:q@40=40',
        'r/f:q@30=30',
      ])
    })

    test.each(['TRUE', 'TTL'])(
      'KEEP_DELETED_CELLS %s: a look at the time before the deletion',
      async (keep) => {
        const session = await start()
        await fiveVersions(session, { KEEP_DELETED_CELLS: keep })
        await session.change((batch) => batch.deleteColumn(ROW, F, Q, 30n))
        await session.settle()
        const seen = async (min: bigint, max: bigint): Promise<string[]> =>
          session.get('r', { ...ALL, ...columns('f:q'), timeRange: TimeRange.between(min, max) })
        expect(await timesOf(session, 'f:q')).toEqual([50, 40])
        expect(await seen(0n, 30n)).toEqual(['r/f:q@20=20', 'r/f:q@10=10'])
        expect(await seen(0n, 31n)).toEqual([])
        expect(await seen(31n, 60n)).toEqual(['r/f:q@50=50', 'r/f:q@40=40'])
        expect(await seen(10n, 2n ** 63n - 1n)).toEqual(['r/f:q@50=50', 'r/f:q@40=40'])
      },
    )

    test('a cell of the far future outlives deletes of the present, not those of its own time', async () => {
      const session = await start()
      session.needs('stillTime')
      await session.create(['m'])
      const far = 1579141440000000n
      await session.put('e', 'm:label', 'house', far)
      const row = bytes('e')
      const m = bytes('m')
      const label = bytes('label')
      await session.change((batch) => batch.deleteRow(row))
      await session.change((batch) => batch.deleteFamily(row, m))
      await session.change((batch) => batch.deleteColumn(row, m, label))
      await session.put('e', 'm:label', 'hidden behind it')
      await session.settle()
      expect(await session.get('e')).toEqual([`e/m:label@${far}=house`])
      await session.change((batch) => batch.deleteVersion(row, m, label))
      expect(await session.get('e')).toEqual([])
      await session.put('e', 'm:other', 'house', far)
      await session.change((batch) => batch.deleteColumn(row, m, bytes('other'), far))
      await session.settle()
      expect(await session.get('e')).toEqual([])
    })
  })
}

/** HBase's behaviour until a flush drops the hidden cells. */
export function describeDeletesInMemory(start: () => Promise<Session>): void {
  test('raw scans see tombstones and what they hide', async () => {
    const session = await start()
    await fiveVersions(session)
    const now = session.clock.time
    await session.change((batch) => batch.deleteFamilyVersion(ROW, F, 30n))
    await session.change((batch) => batch.deleteVersion(ROW, F, Q, 50n))
    await session.change((batch) => batch.deleteVersion(ROW, F, Q))
    await session.change((batch) => batch.deleteColumn(ROW, F, Q, 20n))
    await session.change((batch) => batch.deleteVersion(ROW, F, Q))
    await session.change((batch) => batch.deleteFamily(ROW, F, 40n))
    const raw = { raw: true, ...ALL }
    const g = ['r/g:q@50=50', 'r/g:q@40=40', 'r/g:q@30=30', 'r/g:q@20=20', 'r/g:q@10=10']
    expect((await session.scan(raw))[0]!.split(/ (?=r)/)).toEqual([
      'r/f:@50=50',
      'r/f:@40 DeleteFamily',
      'r/f:@40=40',
      'r/f:@30 DeleteFamilyVersion',
      'r/f:@30=30',
      'r/f:@20=20',
      'r/f:@10=10',
      `r/f:q@${now} Delete`,
      'r/f:q@50 Delete',
      'r/f:q@50=50',
      'r/f:q@40 Delete',
      'r/f:q@40=40',
      'r/f:q@30=30',
      'r/f:q@20 DeleteColumn',
      'r/f:q@20=20',
      'r/f:q@10=10',
      ...g,
    ])
    expect(await session.scan({ raw: true })).toEqual([
      `r/f:@50=50 r/f:@40 DeleteFamily r/f:q@${now} Delete r/f:q@50 Delete r/f:q@50=50 r/f:q@40 Delete r/g:q@50=50`,
    ])
    expect(await session.scan({ ...raw, timeRange: TimeRange.between(20n, 50n), ...columns('f') })).toEqual([
      'r/f:@40 DeleteFamily r/f:@40=40 r/f:@30 DeleteFamilyVersion r/f:@30=30 r/f:@20=20 ' +
        'r/f:q@40 Delete r/f:q@40=40 r/f:q@30=30 r/f:q@20 DeleteColumn r/f:q@20=20',
    ])
  })

  test('a raw scan finds what has expired', async () => {
    const session = await start()
    await session.create(['f'], { TTL: '1', VERSIONS: '2' })
    await session.putVersions('r', 'f:q', 5n, 6n, 7n)
    await session.change((batch) => batch.deleteColumn(ROW, F, Q, 5n))
    expect(await session.scan(ALL)).toEqual([])
    expect(await session.scan({ raw: true, ...ALL })).toEqual([
      'r/f:q@7=7 r/f:q@6=6 r/f:q@5 DeleteColumn r/f:q@5=5',
    ])
  })

  test('behind a deleted version an older one appears that VERSIONS had hidden', async () => {
    const session = await start()
    await session.create(['f'], { VERSIONS: '1' })
    await session.putVersions('r', 'f:q', 1n, 2n)
    await session.change((batch) => batch.deleteVersion(ROW, F, Q, 2n))
    expect(await session.get('r')).toEqual(['r/f:q@1=1'])
  })

  test('an expired tombstone hides nothing, unless MIN_VERSIONS keeps it', async () => {
    const session = await start()
    await session.create(['f'], { VERSIONS: '10', MIN_VERSIONS: '1', TTL: '86400' })
    const old = BigInt(session.clock.time - 2 * 86_400_000)
    await session.put('r', 'f:q', 'old', old)
    expect(await session.get('r')).toHaveLength(1)
    await session.change((batch) => batch.deleteColumn(ROW, F, Q, old))
    expect(await session.get('r')).toEqual([])
  })

  test('no mutation of a batch sees another: the newest version is that before the batch', async () => {
    const session = await start()
    session.needs('batchesAtOnce')
    await session.create(['f'], { VERSIONS: '10' })
    await session.change((batch) => {
      batch.put(ROW, F, Q, bytes('v'), 100n).endMutation()
      batch.deleteVersion(ROW, F, Q)
    })
    expect(await session.scan({ raw: true, ...ALL })).toEqual([
      `r/f:q@${session.clock.time} Delete r/f:q@100=v`,
    ])
  })
}
