/** Reads of a thread while rights change: whoever has the right at the moment of the read point sees the row, and no other does. */

import { expect, test } from 'vitest'
import {
  anewWithRights,
  checkedAtReadPoint,
} from '../../../../src/gateway/policies/own-tables/rights-of-reads.ts'
import { get, scan } from '../../../../src/model/query.ts'
import { NO_RESULTS } from '../../../../src/model/results.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Handouts } from '../../../../src/store/handouts.ts'
import type { ReadRows } from '../../../../src/store/rows.ts'

const T = parseTableName('t')
const LIMITS = { bytes: 1000 }

class Count {
  value = 0

  add(): void {
    this.value++
  }
}

/** A row that a user may read while `may` is true, and what the thread does between its decision and its read point. */
class World {
  may = true
  row = 'public'
  reads = 0
  readonly given: number[] = []
  readonly counts: readonly Count[] = [new Count(), new Count()]
  /** Called between a decision and its read point, by attempt. */
  between: (attempt: number) => void = () => undefined
  /** Called behind the read point. */
  behind: () => void = () => undefined
  readonly rows: ReadRows

  constructor() {
    const own: ReadRows = {
      get: async () => {
        // The row as it is at the read point.
        const results = { ...NO_RESULTS, counts: [this.row === 'public' ? 1 : 2], loan: this.reads }
        await Promise.resolve()
        this.behind()
        return results
      },
      openScanner: async () => {
        const id = this.row === 'public' ? 1 : 2
        await Promise.resolve()
        return { id, readPoint: 0n }
      },
    }
    const handouts = {
      release: (loan: number) => void this.given.push(loan),
      closeScanner: async (id: number) => void this.given.push(id),
    } as unknown as Handouts
    const inner = checkedAtReadPoint({ rows: own, handouts }, this.counts)
    const decided = async (): Promise<void> => {
      this.reads++
      if (!this.may) throw new Error('denied')
      await Promise.resolve()
      this.between(this.reads)
    }
    const guarded: ReadRows = {
      get: async (...args) => {
        await decided()
        return inner.get(...args)
      },
      openScanner: async (...args) => {
        await decided()
        return inner.openScanner(...args)
      },
    }
    this.rows = anewWithRights(guarded, this.counts)
  }

  revokeAndHide(): void {
    this.may = false
    this.counts[0]!.add()
    this.row = 'secret'
  }

  async get(): Promise<string> {
    const { counts } = await this.rows.get(T, [get(Buffer.from('r'))], LIMITS, OWN_CALL)
    return counts[0] === 1 ? 'public' : 'secret'
  }
}

test('a right that goes between the decision and the read point counts', async () => {
  const world = new World()
  expect(await world.get()).toBe('public')
  world.between = () => world.revokeAndHide()
  await expect(world.get()).rejects.toThrow('denied')
  expect([world.reads, world.given]).toEqual([3, [2]])
})

test('a scanner that was opened too late is closed, and opened anew', async () => {
  const world = new World()
  world.between = (attempt) => {
    if (attempt > 1) return
    world.counts[1]!.add()
    world.row = 'secret'
  }
  expect(await world.rows.openScanner(T, scan({}), OWN_CALL)).toEqual({ id: 2, readPoint: 0n })
  await Promise.resolve()
  expect([world.reads, world.given]).toEqual([2, [2]])
})

test('where rights change all the time, the main thread is asked', async () => {
  const world = new World()
  world.between = () => world.counts[0]!.add()
  await expect(world.get()).rejects.toMatchObject({ code: 'IO' })
  expect(world.reads).toBe(3)
})

test('a change behind the read point changes nothing', async () => {
  const world = new World()
  world.behind = () => world.revokeAndHide()
  expect(await world.get()).toBe('public')
  expect(world.reads).toBe(1)
})
