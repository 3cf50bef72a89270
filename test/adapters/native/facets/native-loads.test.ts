import { afterEach, expect, test } from 'vitest'
import { get, scan } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { compactTable } from '../../../store/suite/store-under-test.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

let session: StoreUnderTest

afterEach(() => session.store.close())

/** Reads and writes by region, in the order of the regions. */
async function requests(): Promise<(readonly [reads: number, writes: number])[]> {
  const loads = await session.store.upkeep.loads!.regionLoads(OWN_CALL)
  loads.sort((a, b) => Buffer.compare(a.name, b.name))
  return loads.map(({ readRequests, writeRequests }) => [readRequests, writeRequests])
}

/** The region's own number, then that of each family. */
async function sequenceIds(): Promise<number[]> {
  const [load] = await session.store.upkeep.loads!.regionLoads(OWN_CALL)
  return [load!.completedSequenceId, ...load!.storeSequenceIds.map(({ sequenceId }) => sequenceId)]
}

test('a load tells up to which write all is in files, since the region was opened', async () => {
  session = await StoreUnderTest.open()
  await session.createTable(tableOf('f', 'g'))
  expect(await sequenceIds()).toEqual([-1, -1, -1])
  await session.put(['a'], { family: 'f' })
  const [none, first, other] = await sequenceIds()
  expect([none, other]).toEqual([-1, -1])
  expect(first).toBeGreaterThanOrEqual(0)
  await session.put(['a'], { family: 'f' })
  await session.put(['a'], { family: 'g' })
  expect(await sequenceIds()).toEqual([-1, first, first! + 2])
  await session.flush()
  const flushed = first! + 3
  expect(await sequenceIds()).toEqual([flushed, flushed, flushed])
  await session.flush()
  expect(await sequenceIds()).toEqual([flushed, flushed, flushed])
  const { catalog } = session.store
  await catalog.disableTable(TABLE, OWN_CALL)
  await catalog.enableTable(TABLE, OWN_CALL)
  expect(await sequenceIds()).toEqual([-1, -1, -1])
  await session.put(['a'], { family: 'g' })
  expect(await sequenceIds()).toEqual([-1, -1, flushed])
})

test('a load tells when the oldest file of a compaction of all files was made', async () => {
  session = await StoreUnderTest.open()
  await session.createTable(tableOf('f', 'g'))
  const last = async (): Promise<number> => {
    const [load] = await session.store.upkeep.loads!.regionLoads(OWN_CALL)
    return load!.lastMajorCompaction
  }
  await session.put(['a'], { family: 'f' })
  await session.flush()
  expect(await last()).toBe(0)
  const first = session.time
  await compactTable(session.store, TABLE, { major: true })
  expect(await last()).toBe(first)
  session.time += 1000
  await session.put(['b'], { family: 'g' })
  await session.flush()
  await compactTable(session.store, TABLE, { major: true, family: Buffer.from('g') })
  expect(await last()).toBe(first)
  await session.put(['b'], { family: 'f' })
  await session.flush()
  await compactTable(session.store, TABLE, { major: true })
  expect(await last()).toBe(session.time)
})

test('each region counts the gets, the scanned rows and the mutations that it had', async () => {
  session = await StoreUnderTest.open()
  await session.createTable(tableOf('f'), ['m'])
  expect(await requests()).toEqual([
    [0, 0],
    [0, 0],
  ])

  await session.put(['a', 'b', 'n'], { value: '1' })
  expect(await requests()).toEqual([
    [0, 2],
    [0, 1],
  ])

  const { rows, handouts } = session.store
  const gets = ['a', 'x', 'none'].map((row) => get(Buffer.from(row)))
  await rows.get(TABLE, gets, { bytes: 1000 }, OWN_CALL)
  expect(await requests()).toEqual([
    [1, 2],
    [2, 1],
  ])

  const { id } = await rows.openScanner(TABLE, scan(), OWN_CALL)
  const limits = { rows: 100, bytes: 100_000, allowPartial: false }
  while ((await handouts.next(id, limits, OWN_CALL)).ended !== 'scan');
  await handouts.closeScanner(id)
  expect(await requests()).toEqual([
    [3, 2],
    [3, 1],
  ])
})

test('the requests of all regions are counted together, and how many came a second of the last period', async () => {
  session = await StoreUnderTest.open()
  await session.createTable(tableOf('f'), ['m'])
  const figures = () => session.store.upkeep.loads!.requestFigures(OWN_CALL)
  expect(await figures()).toEqual({ total: 0, perSecond: 0 })
  await session.put(['a', 'b', 'n'])
  await session.rows()
  expect(await figures()).toEqual({ total: 6, perSecond: 0 })
  session.time += 2000
  session.wake()
  expect(await figures()).toEqual({ total: 6, perSecond: 3 })
  await session.put(['a'])
  session.time += 1000
  session.wake()
  expect(await figures()).toEqual({ total: 7, perSecond: 1 })
  session.time += 1000
  session.wake()
  expect(await figures()).toEqual({ total: 7, perSecond: 0 })
  const { catalog } = session.store
  await catalog.disableTable(TABLE, OWN_CALL)
  await catalog.deleteTable(TABLE, OWN_CALL)
  expect(await figures()).toEqual({ total: 7, perSecond: 0 })
})
