/** Events in the microtasks between two parts of a change that is made in several turns: the change begins anew, or waits. */

import { afterEach, expect, test, vi } from 'vitest'
import { GradualInsert } from '../../../../adapters/native/region/gradual-insert.ts'
import { GradualInserts } from '../../../../adapters/native/region/gradual-inserts.ts'
import type { Region } from '../../../../adapters/native/region/region.ts'
import { WriteWaits } from '../../../../adapters/native/write/write-waits.ts'
import { WideRows } from './wide-rows-under-test.ts'

afterEach(() => vi.restoreAllMocks())

interface HeldTable {
  exchange: Promise<void> | undefined
}

/** Holds writes as an exchange of regions does, for some turns. */
function hold(table: HeldTable): void {
  let resume!: () => void
  table.exchange = new Promise<void>((resolve) => {
    resume = resolve
  })
  setImmediate(() =>
    setImmediate(() => {
      table.exchange = undefined
      resume()
    }),
  )
}

test('where an exchange of regions begins to hold writes, no cell is put into them until it is over', async () => {
  const before = Reflect.get(WriteWaits.prototype, 'before')
  const begin = Reflect.get(GradualInserts.prototype, 'begin')
  let held = 0
  // A change asks for its waits as it begins, before it is prepared, and twice before its cells are inserted.
  for (let at = 1; at <= 4; at++) {
    const rows = await WideRows.open()
    let table: HeldTable | undefined
    let calls = 0
    let begunWhileHeld = 0
    vi.spyOn(WriteWaits.prototype, 'before').mockImplementation(function (this: WriteWaits, served, parts) {
      const wait = before.call(this, served, parts)
      if (++calls === at)
        queueMicrotask(() => {
          held++
          table = served
          hold(table)
        })
      return wait
    })
    vi.spyOn(GradualInserts.prototype, 'begin').mockImplementation(function (this: GradualInserts) {
      if (table?.exchange !== undefined) begunWhileHeld++
      return begin.call(this)
    })
    await rows.begin('put', 0)
    await rows.end()
    vi.restoreAllMocks()
    expect([at, begunWhileHeld, rows.faults]).toEqual([at, 0, []])
  }
  expect(held).toBe(4)
})

test('where the stores of the region are replaced behind the last cell, the change is made anew', async () => {
  const insert = Reflect.get(GradualInsert.prototype, 'insert')
  const settle = Reflect.get(GradualInsert.prototype, 'settle')
  const before = Reflect.get(WriteWaits.prototype, 'before')
  const rows = await WideRows.open()
  let region: Region | undefined
  let replaced = 0
  const settledStale: boolean[] = []
  vi.spyOn(WriteWaits.prototype, 'before').mockImplementation(function (this: WriteWaits, served, parts) {
    ;[region] = served.regions
    return before.call(this, served, parts)
  })
  vi.spyOn(GradualInsert.prototype, 'insert').mockImplementation(function (this: GradualInsert, count) {
    const goesOn = insert.call(this, count)
    if (!goesOn && replaced++ === 0)
      queueMicrotask(() => {
        region!.stores = [...region!.stores]
      })
    return goesOn
  })
  vi.spyOn(GradualInsert.prototype, 'settle').mockImplementation(function (this: GradualInsert, id) {
    settledStale.push(this.isStale)
    settle.call(this, id)
  })
  await rows.begin('put', 0)
  await rows.settled()
  expect(settledStale).toEqual([false])
  expect(replaced).toBe(2)
  vi.restoreAllMocks()
  await rows.end()
  expect(rows.faults).toEqual([])
})
