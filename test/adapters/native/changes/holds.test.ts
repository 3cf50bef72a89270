/** Holds on the log, and the logs that stay for readers without one. */

import { describe, expect, test } from 'vitest'
import type { NativeOptions } from '../../../../adapters/native/options/native-options.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Change, PartOfChanges } from '../../../../src/store/changes.ts'
import { StoreUnderTest, tableOf } from '../store-under-test.ts'
import { ALL, changesOf, HOLD, KEEP } from './change-history.ts'

const SMALL_LOGS = { wal: { logBytesMax: 500, syncEveryBytes: 150 } }
const RETAINING = { ...SMALL_LOGS, changesKeepBytes: 2000 }

async function opened(options: Partial<NativeOptions> = SMALL_LOGS): Promise<StoreUnderTest> {
  const session = await StoreUnderTest.open(options, undefined, Math.random)
  await session.createTable(tableOf('f'))
  return session
}

function again(
  session: StoreUnderTest,
  options: Partial<NativeOptions> = SMALL_LOGS,
): Promise<StoreUnderTest> {
  return StoreUnderTest.open(options, session.fileSystem, Math.random)
}

function rowsOf(changes: readonly Change[]): string[] {
  return changes.flatMap(({ cells }) => cellsOf(cells).map(({ row }) => row.toString()))
}

function read(session: StoreUnderTest, position: number): Promise<PartOfChanges> {
  return changesOf(session).readChanges(position, ALL, OWN_CALL)
}

function hold(session: StoreUnderTest, position?: number, keepBytesMax = KEEP): Promise<number> {
  return changesOf(session).holdLog(HOLD, position, keepBytesMax, OWN_CALL)
}

async function putMany(session: StoreUnderTest, count: number, from = 0): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, index) => `r${from + index}`)
  for (const row of rows) await session.put([row])
  return rows
}

function logsOf(session: StoreUnderTest): string[] {
  return session.paths('/s/wal/')
}

async function gauge(session: StoreUnderTest, name: string): Promise<number | undefined> {
  const readings = await session.store.metrics()
  return readings.find((reading) => reading.name === name)?.samples[0]?.value
}

describe('a hold', () => {
  test('keeps the log over flushes, closes and kills, and lets it go as it moves on', async () => {
    let session = await opened()
    const from = await hold(session)
    const rows = await putMany(session, 30)
    await session.flush()
    expect(logsOf(session).length).toBeGreaterThan(3)
    session = await session.killed(SMALL_LOGS)
    expect(rowsOf((await read(session, from)).changes)).toEqual(rows)
    await session.store.close()
    session = await again(session)
    const part = await read(session, from)
    expect(rowsOf(part.changes)).toEqual(rows)
    expect((await changesOf(session).logHolds(OWN_CALL))[0]).toMatchObject({
      position: from,
      loss: undefined,
    })
    await hold(session, part.position)
    await session.store.catalog.listTables(OWN_CALL)
    await session.store.close()
    expect(logsOf(session)).toEqual([])
    session = await again(session)
    expect((await read(session, part.position)).changes).toEqual([])
    await session.store.close()
  })

  test('has its last place on disk after a close, and one from not long ago after a kill', async () => {
    let session = await opened()
    const from = await hold(session)
    await putMany(session, 5)
    const { changes } = await read(session, from)
    const [first, second, third] = changes.map(({ sequenceId }) => sequenceId)
    session.time += 10_000
    await hold(session, first)
    session.time += 1000
    await hold(session, second)
    session = await session.killed(SMALL_LOGS)
    expect((await changesOf(session).logHolds(OWN_CALL))[0]?.position).toBe(first)
    await hold(session, third)
    await session.store.close()
    session = await again(session)
    expect((await changesOf(session).logHolds(OWN_CALL))[0]?.position).toBe(third)
    await session.store.close()
  })

  test('costs no edit of the manifest where it moves on, but one each few seconds', async () => {
    const session = await opened()
    const from = await hold(session)
    await putMany(session, 20)
    const { changes } = await read(session, from)
    const before = session.fileSystem.bytesOf('/s/manifest').length
    for (const { sequenceId } of changes) await hold(session, sequenceId)
    const edits = session.fileSystem.bytesOf('/s/manifest').length
    expect(edits - before).toBeLessThan(1000)
    await session.store.close()
  })

  test('is lost beyond its bytes, with a reason, and can be made anew', async () => {
    const session = await opened()
    const from = await hold(session, undefined, 900)
    await putMany(session, 30)
    expect((await changesOf(session).logHolds(OWN_CALL))[0]?.loss).toBeUndefined()
    await session.flush()
    const [lost] = await changesOf(session).logHolds(OWN_CALL)
    expect(lost?.loss).toContain('more than the 900 that are kept')
    expect(lost?.left).toBe(0)
    expect(logsOf(session).length).toBeLessThan(4)
    expect(session.logged.some((line) => line.includes(`kept any longer for ${HOLD}`))).toBe(true)
    expect(await session.store.troubles()).toEqual([expect.stringContaining(HOLD)])
    await expect(read(session, from)).rejects.toMatchObject({ code: 'DO_NOT_RETRY' })
    await expect(hold(session, from)).rejects.toThrow('no longer reaches back')
    const killed = await session.killed(SMALL_LOGS)
    expect((await changesOf(killed).logHolds(OWN_CALL))[0]?.loss).toBe(lost?.loss)
    await changesOf(killed).releaseLog(HOLD, OWN_CALL)
    expect(await killed.store.troubles()).toEqual([])
    await hold(killed)
    await killed.store.close()
  })

  test('gives way where the disk is full, behind what is kept without a hold', async () => {
    const session = await opened(RETAINING)
    await putMany(session, 30)
    await session.flush()
    const from = await hold(session)
    await putMany(session, 30)
    await session.flush()
    const full = async (): Promise<void> => {
      session.fileSystem.failAppends({ after: 0, writtenBytes: 0 })
      await session.put(['x']).catch(() => undefined)
      session.fileSystem.repair()
      await session.store.outage()
      await session.put(['y'])
    }
    const retained = logsOf(session).length
    await full()
    expect(logsOf(session).length).toBeLessThan(retained)
    await full()
    await full()
    expect((await changesOf(session).logHolds(OWN_CALL))[0]?.loss).toContain('the disk was full')
    await expect(read(session, from)).rejects.toMatchObject({ code: 'DO_NOT_RETRY' })
    await session.store.close()
    const later = await again(session, RETAINING)
    expect((await changesOf(later).logHolds(OWN_CALL))[0]?.loss).toContain('the disk was full')
    await later.store.close()
  })

  test('is refused without a name, with a place that the log does not have, and beside very many', async () => {
    const session = await opened()
    const changes = changesOf(session)
    await expect(changes.holdLog('', undefined, 1, OWN_CALL)).rejects.toMatchObject({
      code: 'ILLEGAL_ARGUMENT',
    })
    await expect(hold(session, 1000)).rejects.toMatchObject({ code: 'DO_NOT_RETRY' })
    await expect(hold(session, -1)).rejects.toMatchObject({ code: 'ILLEGAL_ARGUMENT' })
    for (let index = 0; index < 200; index++) await changes.holdLog(`h${index}`, undefined, KEEP, OWN_CALL)
    await expect(hold(session)).rejects.toThrow('200 hold the log')
    await changes.releaseLog('h7', OWN_CALL)
    await changes.releaseLog('h7', OWN_CALL)
    await hold(session)
    expect((await changes.logHolds(OWN_CALL)).map(({ name }) => name)).not.toContain('h7')
    await session.store.close()
  })

  test('that could not be recorded is not there', async () => {
    const session = await opened()
    session.fileSystem.failAppends({ after: 0, writtenBytes: 0 })
    await expect(hold(session)).rejects.toMatchObject({ code: 'IO' })
    session.fileSystem.repair()
    expect(await changesOf(session).logHolds(OWN_CALL)).toEqual([])
    await session.store.close()
  })

  test('whose log is removed by hand is lost, and the store opens', async () => {
    let session = await opened()
    const from = await hold(session)
    await putMany(session, 30)
    await session.store.close()
    session.fileSystem.remove(logsOf(session)[0]!)
    session = await again(session)
    expect(await session.rows()).toHaveLength(30)
    expect((await changesOf(session).logHolds(OWN_CALL))[0]?.loss).toContain('not there any more')
    await expect(read(session, from)).rejects.toMatchObject({ code: 'DO_NOT_RETRY' })
    await session.store.close()
  })
})

describe('without a hold', () => {
  test('so many bytes of closed logs stay, over restarts, and a start does not replay them', async () => {
    let session = await opened(RETAINING)
    for (let round = 0; round < 4; round++) {
      const position = await changesOf(session).lastChange(OWN_CALL)
      const rows = await putMany(session, 10, round * 10)
      await session.flush()
      await session.store.close()
      session = await again(session, RETAINING)
      expect(rowsOf((await read(session, position)).changes)).toEqual(rows)
      expect(await gauge(session, 'tidegate_native_recovery_records')).toBe(0)
    }
    await putMany(session, 100, 100)
    await session.flush()
    await expect(read(session, 1)).rejects.toThrow('no longer reaches back')
    const bytes = logsOf(session).map((path) => session.fileSystem.bytesOf(path).length)
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(2000 + 3 * 600)
    await session.store.close()
  })

  test('nothing stays where none is asked for', async () => {
    const session = await opened()
    await putMany(session, 30)
    await session.store.close()
    expect(logsOf(session)).toEqual([])
  })
})

test('sequence ids are not used again, though all regions that had them are gone', async () => {
  let session = await opened()
  await putMany(session, 30)
  const last = await changesOf(session).lastChange(OWN_CALL)
  const { catalog } = session.store
  await catalog.disableTable(tableOf('f').name, OWN_CALL)
  await catalog.deleteTable(tableOf('f').name, OWN_CALL)
  await session.store.close()
  session = await again(session)
  expect(await changesOf(session).lastChange(OWN_CALL)).toBeGreaterThanOrEqual(last)
  await session.createTable(tableOf('f'))
  await session.put(['later'])
  expect(rowsOf((await read(session, (await changesOf(session).lastChange(OWN_CALL)) - 1)).changes)).toEqual([
    'later',
  ])
  await session.store.close()
})
