import { describe, expect, it } from 'vitest'
import type { Scanner } from '../../../src/gateway/reads/scanner.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { numbered, rest, StoreUnderTest, tableOf } from './store-under-test.ts'

const ROWS = numbered(2000)
const ONE_ROW = { rows: 1, bytes: 1 << 20, allowPartial: false }

async function metric(session: StoreUnderTest, name: string): Promise<number> {
  const readings = await session.store.metrics()
  const found = readings.find((reading) => reading.name === name)
  return found?.samples[0]?.value ?? Number.NaN
}

/** Writes all rows, opens scanners that read one row each, and flushes; so many times. */
async function scannersBetweenFlushes(session: StoreUnderTest, times: number): Promise<Scanner[]> {
  const scanners: Scanner[] = []
  for (let time = 0; time < times; time++) {
    await session.put(ROWS, { value: `v${time}` })
    for (const options of [{}, { reversed: true }]) {
      const scanner = await session.scanner(options)
      await scanner.next(ONE_ROW, OWN_CALL)
      scanners.push(scanner)
    }
    await session.flush()
  }
  return scanners
}

describe('flushed memstores that open scanners hold', () => {
  it('are bounded, and their scanners go on in the files with what they saw', async () => {
    const heldSnapshotBytesMax = 1_000_000
    const session = await StoreUnderTest.open({ heldSnapshotBytesMax })
    await session.createTable(tableOf('f'))
    const scanners = await scannersBetweenFlushes(session, 12)
    expect(await metric(session, 'tidegate_native_held_snapshot_bytes')).toBeLessThanOrEqual(
      heldSnapshotBytesMax,
    )
    expect(await metric(session, 'tidegate_native_held_snapshot_bytes')).toBeGreaterThan(0)
    expect(await metric(session, 'tidegate_native_let_go_snapshots_total')).toBeGreaterThan(3)
    for (const [index, scanner] of scanners.entries()) {
      const rows = index % 2 === 0 ? ROWS.slice(1) : ROWS.toReversed().slice(1)
      expect(await rest(scanner)).toEqual(rows.map((row) => `${row}=v${Math.floor(index / 2)}`))
      await scanner.close()
    }
    expect(await metric(session, 'tidegate_native_held_snapshots')).toBe(0)
    expect(await metric(session, 'tidegate_native_held_snapshot_bytes')).toBe(0)
    await session.store.close()
  })

  it('are not counted once their scanners are closed', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    const scanners = await scannersBetweenFlushes(session, 2)
    expect(await metric(session, 'tidegate_native_held_snapshots')).toBe(2)
    for (const scanner of scanners) await scanner.close()
    expect(await metric(session, 'tidegate_native_held_snapshots')).toBe(0)
    expect(await metric(session, 'tidegate_native_let_go_snapshots_total')).toBe(0)
    await session.store.close()
  })

  it('are let go while a scan pauses, and a scanner that was not read yet begins in the file', async () => {
    const session = await StoreUnderTest.open({ heldSnapshotBytesMax: 0, scanSliceCells: 100 })
    await session.createTable(tableOf('f'), ['r001000'])
    await session.put(ROWS)
    const unread = await session.scanner()
    const scanner = await session.scanner()
    const reading = rest(scanner, 5000)
    await session.put(ROWS, { value: 'later' })
    await session.flush()
    expect(await reading).toEqual(ROWS.map((row) => `${row}=v`))
    expect(await rest(unread)).toEqual(ROWS.map((row) => `${row}=v`))
    await session.store.close()
  })
})
