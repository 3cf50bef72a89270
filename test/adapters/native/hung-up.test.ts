import { describe, expect, it } from 'vitest'
import { type Get, get, scan } from '../../../src/model/query.ts'
import { type Call, OWN_CALL } from '../../../src/store/call.ts'
import { numbered, StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

const ALL = { rows: 1_000_000, bytes: 1 << 30, allowPartial: false }

interface Client {
  readonly call: Call
  readonly hangUp: () => void
}

function client(): Client {
  const controller = new AbortController()
  return { call: { ...OWN_CALL, signal: controller.signal }, hangUp: () => controller.abort() }
}

/** A get that counts the reads of its row. */
function counted(row: string, onRead: () => void): Get {
  const { row: bytes, ...rest } = get(Buffer.from(row))
  return {
    ...rest,
    get row() {
      onRead()
      return bytes
    },
  }
}

async function withRows(count: number): Promise<StoreUnderTest> {
  const session = await StoreUnderTest.open({ scanSliceCells: 100 })
  await session.createTable(tableOf('f'), ['s'])
  await session.put(numbered(count))
  return session
}

describe('a client that has hung up', () => {
  it('ends its scan at the next slice, be it of rows that nobody sees', async () => {
    const session = await withRows(2000)
    const { rows, handouts } = session.store
    const { id } = await rows.openScanner(TABLE, scan({ asOf: 1n }), OWN_CALL)
    const { call, hangUp } = client()
    const batch = handouts.next(id, ALL, call)
    hangUp()
    await expect(batch).rejects.toMatchObject({ code: 'CALLER_GONE' })
    // The next call reads the cells that the first slice left.
    const rest = await handouts.next(id, ALL, OWN_CALL)
    expect(rest).toMatchObject({ ended: 'scan', cellsSeen: 1900 })
  })

  it('leaves a scan that has lost rows, which must not go on as if it had them', async () => {
    const session = await withRows(2000)
    const { rows, handouts } = session.store
    const { id } = await rows.openScanner(TABLE, scan(), OWN_CALL)
    const { call, hangUp } = client()
    const batch = handouts.next(id, ALL, call)
    hangUp()
    await expect(batch).rejects.toMatchObject({ code: 'CALLER_GONE' })
    await expect(handouts.next(id, ALL, OWN_CALL)).rejects.toMatchObject({ code: 'UNKNOWN_SCANNER' })
    await handouts.closeScanner(id)
    expect(await session.rows()).toHaveLength(2000)
  })

  it('ends its get of many rows after some of them', async () => {
    const session = await withRows(10)
    let reads = 0
    const gets = Array.from({ length: 3000 }, () => counted('r000001', () => reads++))
    const { call, hangUp } = client()
    const answer = session.store.rows.get(TABLE, gets, { bytes: 1 << 30 }, call)
    const readsOfOne = reads / 500
    hangUp()
    await expect(answer).rejects.toMatchObject({ code: 'CALLER_GONE' })
    expect(reads).toBe(500 * readsOfOne)
    const before = reads
    const whole = await session.store.rows.get(TABLE, gets, { bytes: 1 << 30 }, OWN_CALL)
    expect(whole.counts).toHaveLength(3000)
    expect(reads - before).toBe(3000 * readsOfOne)
  })

  it('has no more of its batch written than was written before', async () => {
    const session = await withRows(0)
    const { call, hangUp } = client()
    const written = session.putAs(call, numbered(6000))
    hangUp()
    await expect(written).rejects.toMatchObject({ code: 'CALLER_GONE' })
    await session.put(['z'])
    expect(await session.rows()).toEqual([...numbered(1000).map((row) => `${row}=v`), 'z=v'])
  })

  it('need not wait for room in the memstores', async () => {
    const session = await StoreUnderTest.open({ memstoreBytesMax: 20_000 })
    await session.createTable(tableOf('f'))
    await session.put(numbered(20), { value: 'x'.repeat(1000) })
    const { call, hangUp } = client()
    const waiting = session.putAs(call, ['z'])
    hangUp()
    await expect(waiting).rejects.toMatchObject({ code: 'CALLER_GONE' })
    expect(await session.rows({ startRow: Buffer.from('z') })).toEqual([])
    await session.put(['z'])
    expect(await session.rows({ startRow: Buffer.from('z') })).toEqual(['z=v'])
  })

  it('has its deadline held against the clock of the engine', async () => {
    const session = await withRows(2000)
    const { rows, handouts } = session.store
    const { id } = await rows.openScanner(TABLE, scan({ asOf: 1n }), OWN_CALL)
    const call: Call = { ...OWN_CALL, deadline: session.time + 1000 }
    const batch = handouts.next(id, ALL, call)
    session.time += 1000
    await expect(batch).rejects.toMatchObject({ code: 'TIMEOUT' })
    await expect(session.rows()).resolves.toHaveLength(2000)
  })
})
