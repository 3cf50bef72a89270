/** The changes of rows, as those read them who carry them elsewhere. */

import { describe, expect, test } from 'vitest'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Change, Changes, PartOfChanges, WantedChanges } from '../../../../src/store/changes.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

const SMALL_LOGS = { wal: { logBytesMax: 500, syncEveryBytes: 150 } }
const ALL: WantedChanges = { bytes: 1 << 20, waitMs: 0 }

function changesOf({ store }: StoreUnderTest): Changes {
  return store.upkeep.changes!
}

function read(session: StoreUnderTest, position: number, wanted = ALL): Promise<PartOfChanges> {
  return changesOf(session).readChanges(position, wanted, OWN_CALL)
}

function rowsOf(changes: readonly Change[]): string[] {
  return changes.flatMap(({ cells }) => cellsOf(cells).map(({ row }) => row.toString()))
}

async function opened(more: object = {}): Promise<StoreUnderTest> {
  const session = await StoreUnderTest.open(more, undefined, Math.random)
  await session.createTable(tableOf('f', 'g'))
  return session
}

describe('reading changes', () => {
  test('gives each change once, in order, with its table and region, from any position on', async () => {
    const session = await opened(SMALL_LOGS)
    const from = await changesOf(session).lastChange(OWN_CALL)
    const rows = Array.from({ length: 40 }, (_, index) => `r${index}`)
    for (const row of rows) await session.put([row])
    const all = await read(session, from)
    expect(rowsOf(all.changes)).toEqual(rows)
    expect(all.left).toBe(0)
    expect(all.waitingSince).toBeUndefined()
    const [region] = await session.store.catalog.regions(TABLE, OWN_CALL)
    expect(new Set(all.changes.map((change) => `${change.table} ${change.region}`))).toEqual(
      new Set([`${TABLE} ${region?.encodedName}`]),
    )
    for (const [index, { sequenceId }] of all.changes.entries()) {
      const rest = await read(session, sequenceId)
      expect(rowsOf(rest.changes)).toEqual(rows.slice(index + 1))
    }
    await session.store.close()
  })

  test('goes on in pieces of any size, and says how much is left and since when', async () => {
    const session = await opened(SMALL_LOGS)
    let position = await changesOf(session).lastChange(OWN_CALL)
    const began = session.time
    for (let row = 0; row < 20; row++) {
      await session.put([`r${row}`])
      session.time += 1000
    }
    const read1 = await read(session, position, { ...ALL, bytes: 1 })
    expect((await read(session, position, { ...ALL, bytes: 0 })).changes).toHaveLength(1)
    expect(read1.waitingSince).toBe(began + 1000)
    const rows: string[] = []
    for (let left = 1; left > 0; ) {
      const part = await read(session, position, { ...ALL, bytes: 1 })
      expect(part.changes).toHaveLength(1)
      rows.push(...rowsOf(part.changes))
      position = part.position
      left = part.left
    }
    expect(rows).toEqual(Array.from({ length: 20 }, (_, row) => `r${row}`))
    await session.store.close()
  })

  test('waits for a change, and ends with the time, the caller and the store', async () => {
    const session = await opened()
    const from = await changesOf(session).lastChange(OWN_CALL)
    const waiting = read(session, from, { ...ALL, waitMs: 60_000 })
    await session.put(['later'])
    expect(rowsOf((await waiting).changes)).toEqual(['later'])
    const last = await changesOf(session).lastChange(OWN_CALL)
    const hangUp = new AbortController()
    const call = { ...OWN_CALL, signal: hangUp.signal }
    const left = changesOf(session).readChanges(last, { ...ALL, waitMs: 60_000 }, call)
    hangUp.abort()
    await expect(left).rejects.toMatchObject({ code: 'CALLER_GONE' })
    expect((await read(session, last, { ...ALL, waitMs: 5 })).changes).toEqual([])
    const atEnd = read(session, last, { ...ALL, waitMs: 60_000 })
    atEnd.catch(() => undefined)
    await session.store.close()
    await expect(atEnd).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  test('gives one table and some of its families, or all tables but those of hbase', async () => {
    const session = await opened()
    const other = parseTableName('other')
    await session.store.catalog.createTable({ ...tableOf('f'), name: other }, [], OWN_CALL)
    const from = await changesOf(session).lastChange(OWN_CALL)
    await session.put(['a'], { family: 'f' })
    await session.put(['b'], { family: 'g' })
    expect(rowsOf((await read(session, from)).changes)).toEqual(['a', 'b'])
    const wanted = { ...ALL, table: TABLE, families: [Buffer.from('g')] }
    expect(rowsOf((await read(session, from, wanted)).changes)).toEqual(['b'])
    expect((await read(session, from, { ...ALL, table: other })).changes).toEqual([])
    await expect(read(session, from, { ...ALL, table: parseTableName('none') })).rejects.toMatchObject({
      code: 'TABLE_NOT_FOUND',
    })
    await session.store.close()
  })

  test('passes over much that is not asked for, and ends then with a later position', async () => {
    const session = await opened()
    const other = parseTableName('other')
    await session.store.catalog.createTable({ ...tableOf('f'), name: other }, [], OWN_CALL)
    const from = await changesOf(session).lastChange(OWN_CALL)
    for (let row = 0; row < 20; row++) await session.put([`r${row}`], { value: 'v'.repeat(1 << 20) })
    const part = await read(session, from, { ...ALL, table: other })
    expect(part.changes).toEqual([])
    expect(part.left).toBeGreaterThan(1 << 20)
    let { position } = part
    for (let left = 1, calls = 0; left > 0; calls++) {
      expect(calls).toBeLessThan(5)
      const next = await read(session, position, { ...ALL, table: other })
      expect(next.position).toBeGreaterThan(position)
      ;({ position, left } = next)
    }
    expect(position).toBe(await changesOf(session).lastChange(OWN_CALL))
    expect((await read(session, from, { ...ALL, bytes: 3 << 20 })).changes).toHaveLength(3)
    await session.store.close()
  })

  test('passes sequence ids of no record after a start, and lets others go on while it waits behind them', async () => {
    const options = { changesKeepBytes: 1 << 20 }
    const session = await opened(options)
    await session.put(['logged'])
    const from = await changesOf(session).lastChange(OWN_CALL)
    await session.put(['unlogged'], { durability: 'SKIP_WAL' })
    await session.flush()
    await session.store.close()
    const again = await StoreUnderTest.open(options, session.fileSystem, Math.random)
    const last = await changesOf(again).lastChange(OWN_CALL)
    expect(last).toBeGreaterThan(from)
    // Each look at the clock takes a millisecond: a read that spins comes to an end, and without the change.
    let { time } = again
    Object.defineProperty(again, 'time', { get: () => time++ })
    const waiting = read(again, from, { ...ALL, waitMs: 60_000 })
    setImmediate(() => void again.put(['later']))
    const part = await waiting
    expect(rowsOf(part.changes)).toEqual(['later'])
    expect(await read(again, from)).toMatchObject({ left: 0, waitingSince: undefined })
    const nothing = await read(again, part.position)
    expect(nothing).toMatchObject({ position: part.position, changes: [] })
    await again.store.close()
  })

  test('refuses positions that the log does not have', async () => {
    const session = await opened(SMALL_LOGS)
    const from = await changesOf(session).lastChange(OWN_CALL)
    for (let row = 0; row < 20; row++) await session.put([`r${row}`])
    const last = await changesOf(session).lastChange(OWN_CALL)
    await expect(read(session, last + 1)).rejects.toMatchObject({ code: 'DO_NOT_RETRY' })
    await session.flush()
    await expect(read(session, from)).rejects.toThrow('no longer reaches back')
    expect((await read(session, last)).changes).toEqual([])
    await session.store.close()
  })
})
