/** Fills a store in its own process, one batch of some 1 MB after the other, and counts what that writes to the disk. */

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isHBaseError } from '../../../src/model/errors.ts'
import type { MutationBatch } from '../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { metric } from '../../bench-store.ts'
import { openEngine, openLevel } from './in-process-stores.ts'
import { BATCH_ROWS, batchOf, keyOf, numbersFrom, TABLE, valueOf } from './sized-rows.ts'

export interface Filled {
  /** Rows so far: fewer than asked for where the time was up. */
  readonly rows: number
  /** Of keys and values. */
  readonly bytes: number
  readonly seconds: number
  /** How long compactions went on afterwards. */
  readonly settleSeconds: number
  readonly longestMs: number
  readonly p99Ms: number
  /** Bytes that the process handed to the disk, logs too; NaN where the system does not count them. */
  readonly writtenBytes: number
}

const RETRY_MS = 10
const LOOK_MS = 100

/** Of this process so far, from /proc. */
function writtenBytes(): number {
  try {
    return Number(/^write_bytes: (\d+)$/m.exec(readFileSync('/proc/self/io', 'latin1'))![1])
  } catch {
    return Number.NaN
  }
}

/** As HBase's clients do, comes again while the region is too busy. */
export async function put({ rows }: Pick<Store, 'rows'>, batch: MutationBatch): Promise<void> {
  for (;;) {
    const error = await rows.mutate(TABLE, batch, OWN_CALL).then(
      (failures) => failures[0]?.error,
      (thrown: unknown) => thrown,
    )
    if (error === undefined) return
    if (!isHBaseError(error) || error.code !== 'REGION_TOO_BUSY') throw error
    await sleep(RETRY_MS)
  }
}

/** Writes rows `first` to `end`; `settle` resolves once nothing is left to do in the background. */
async function fill(
  [first, end]: readonly [number, number],
  secondsMax: number,
  write: (first: number, end: number) => Promise<number>,
  settle: () => Promise<void>,
): Promise<Filled> {
  const before = writtenBytes()
  const startedAt = performance.now()
  const seconds = (): number => (performance.now() - startedAt) / 1000
  const times: number[] = []
  let [rows, bytes] = [first, 0]
  for (; rows < end && seconds() < secondsMax; rows += BATCH_ROWS) {
    const since = performance.now()
    bytes += await write(rows, Math.min(rows + BATCH_ROWS, end))
    times.push(performance.now() - since)
  }
  const filled = seconds()
  await settle()
  times.sort((a, b) => a - b)
  return {
    rows: Math.min(rows, end),
    bytes,
    seconds: filled,
    settleSeconds: seconds() - filled,
    longestMs: times.at(-1) ?? 0,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? 0,
    writtenBytes: writtenBytes() - before,
  }
}

/** Resolves once no compaction runs or waits. */
async function settled(store: Store): Promise<void> {
  while ((await metric(store, 'running_compactions')) + (await metric(store, 'waiting_compactions')) > 0)
    await sleep(LOOK_MS)
}

export async function fillEngine(folder: string, range: readonly [number, number]): Promise<Filled> {
  const store = await openEngine(folder)
  const write = async (first: number, end: number): Promise<number> => {
    const { batch, bytes } = batchOf(numbersFrom(first, end))
    await put(store, batch)
    return bytes
  }
  try {
    return await fill(range, Number.POSITIVE_INFINITY, write, () => settled(store))
  } finally {
    await store.close()
  }
}

export async function fillLevel(
  folder: string,
  range: readonly [number, number],
  secondsMax: number,
): Promise<Filled> {
  const level = await openLevel(folder)
  const write = async (first: number, end: number): Promise<number> => {
    const puts = Array.from(numbersFrom(first, end), (row) => {
      return { type: 'put' as const, key: keyOf(row), value: valueOf(row) }
    })
    await level.batch(puts)
    return puts.reduce((sum, { key, value }) => sum + key.length + value.length, 0)
  }
  try {
    // LevelDB does not say whether it compacts; closing it waits for what runs.
    return await fill(range, secondsMax, write, () => Promise.resolve())
  } finally {
    await level.close()
  }
}
