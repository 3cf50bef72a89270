/** The housekeeper's round over more regions than one turn of the event loop has time for. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Engine } from '../../../adapters/native/engine/engine.ts'
import { DEFAULT_NATIVE_OPTIONS } from '../../../adapters/native/options/native-options.ts'
import type { Region } from '../../../adapters/native/region/region.ts'
import { Housekeeper, type HousekeeperWorkers } from '../../../adapters/native/upkeep/housekeeper.ts'

const REGIONS = 400
/** Far longer than a turn, for all of them. */
const LOOK_MS = 0.25

function busy(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

function housekeeper(): { keeper: Housekeeper; seen: () => number; checked: () => number; rates: number[] } {
  const regions = new Map<number, Region>()
  const keeper = { seen: 0, checked: 0 }
  const rates: number[] = []
  const region = { flushedSequenceId: 0, hasUnflushedCells: false } as Region
  const upkeep = {
    ...DEFAULT_NATIVE_OPTIONS.upkeep,
    wakesACheck: 2,
    compactionRateMin: 100,
    compactionRateMax: 200,
  }
  const looks = { verify: () => undefined, reopen: () => undefined, look: () => undefined }
  const engine = {
    options: { ...DEFAULT_NATIVE_OPTIONS, upkeep },
    clock: Date,
    random: Math.random,
    tables: { regions },
    fileSystem: { exists: () => false },
    catalogLog: looks,
    wal: looks,
    storeFiles: { tolerant: looks, watch: looks },
    chunks: { trim: () => undefined },
    runner: { setCompactionRate: (rate: number) => rates.push(rate) },
    flusher: {},
    limits: {
      flushIfLarge: () => {
        keeper.seen++
        busy(LOOK_MS)
      },
    },
  } as unknown as Engine
  const workers = {
    compactor: { check: () => keeper.checked++ },
    // The last one has the most files.
    choice: { pressureOf: () => (keeper.seen === REGIONS ? 0.5 : 0) },
    snapshots: { expire: () => undefined },
    backups: { expire: () => undefined },
    requests: { endPeriod: () => undefined },
  } as unknown as HousekeeperWorkers
  const made = new Housekeeper(engine, workers)
  for (let i = 0; i < REGIONS; i++) regions.set(i, region)
  rates.length = 0
  return { keeper: made, seen: () => keeper.seen, checked: () => keeper.checked, rates }
}

it('a round is made in turns, tunes the compactions by all regions, and misses no check that falls due meanwhile', async () => {
  const { keeper, seen, checked, rates } = housekeeper()
  keeper.wake()
  expect(seen()).toBeLessThan(REGIONS)
  // The second wake is due for a check while the first round goes on; the third makes it.
  keeper.wake()
  while (rates.length === 0) await nextTurn()
  expect([seen(), checked()]).toEqual([REGIONS, 0])
  expect(rates).toEqual([150])
  keeper.wake()
  while (rates.length === 1) await nextTurn()
  expect([seen(), checked()]).toEqual([2 * REGIONS, REGIONS])
})

it('a round ends with the store', async () => {
  const { keeper, seen, rates } = housekeeper()
  keeper.wake()
  const looked = seen()
  keeper.stop()
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  expect(seen()).toBe(looked)
  expect(rates).toEqual([])
})
