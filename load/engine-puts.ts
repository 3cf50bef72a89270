/**
 * Puts of the engine in process beside classic-level (LevelDB), in one run, with flushes and compactions as they come:
 * `npm run bench:engine-puts`. Rows of 100 bytes in random order; neither side waits for the disk. Rounds alternate between
 * the two sides, each goes on in its own store, and the ratio is that of all their rounds together.
 *
 * TIDEGATE_BENCH_ROWS is the number of rows that are written in batches (2,000,000); of single puts, a tenth.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClassicLevel } from 'classic-level'
import { batchOf, openBenchStore, rowAt, VALUE, write } from './bench-store.ts'

const ROWS = Number(process.env['TIDEGATE_BENCH_ROWS'] ?? 2_000_000)
const SINGLES = ROWS / 10
const BATCH = 100
const ROUNDS = 5
const IN_FLIGHT = 16
const CACHE_BYTES = 1 << 29

/** Writes batch `number` of its side, of `size` rows. */
type Write = (number: number, size: number) => Promise<unknown>

interface Case {
  readonly name: string
  readonly goal: number
  readonly rows: number
  readonly size: number
  readonly inFlight: number
}

/** The next batch of each side: no row is written twice. */
const next = { ours: 0, peer: 0 }

async function seconds(side: keyof typeof next, one: Write, { rows, size, inFlight }: Case): Promise<number> {
  // Batches of one row begin behind the rows of all larger ones.
  const base = size === 1 ? 1 << 30 : 0
  const count = rows / size / ROUNDS
  const last = next[side] + count
  const startedAt = performance.now()
  const writer = async (): Promise<void> => {
    while (next[side] < last) await one(base + next[side]++, size)
  }
  await Promise.all(Array.from({ length: inFlight }, writer))
  return (performance.now() - startedAt) / 1000
}

async function measure(each: Case, ours: Write, peer: Write): Promise<Record<string, string | number>> {
  let [a, b] = [0, 0]
  for (let round = 0; round < ROUNDS; round++) {
    a += await seconds('ours', ours, each)
    b += await seconds('peer', peer, each)
  }
  const ratio = b / a
  if (ratio < each.goal) process.exitCode = 1
  const k = (time: number): string => `${Math.round(each.rows / time / 1000)} k`
  return { case: each.name, ours: k(a), peer: k(b), ratio: ratio.toFixed(2), goal: each.goal }
}

const directory = mkdtempSync(join(tmpdir(), 'tidegate-puts-'))
const store = await openBenchStore(join(directory, 'native'), {})
const level = new ClassicLevel<Buffer, Buffer>(join(directory, 'level'), {
  keyEncoding: 'buffer',
  valueEncoding: 'buffer',
  compression: false,
  cacheSize: CACHE_BYTES,
  blockSize: 65536,
  writeBufferSize: 1 << 27,
})
try {
  await level.open()
  const ours: Write = (number, size) => write(store, batchOf(number, size))
  const peer: Write = (number, size) => {
    const puts = Array.from({ length: size }, (_, i) => ({
      type: 'put' as const,
      key: rowAt(number * size + i),
      value: VALUE,
    }))
    return size === 1 ? level.put(puts[0]!.key, VALUE) : level.batch(puts)
  }
  const cases: Case[] = [
    { name: 'batches of 100, one by one', goal: 3, rows: ROWS, size: BATCH, inFlight: 1 },
    { name: `batches of 100, ${IN_FLIGHT} in flight`, goal: 2, rows: ROWS, size: BATCH, inFlight: IN_FLIGHT },
    { name: 'single puts, one by one', goal: 3, rows: SINGLES, size: 1, inFlight: 1 },
    { name: `single puts, ${IN_FLIGHT} in flight`, goal: 3, rows: SINGLES, size: 1, inFlight: IN_FLIGHT },
  ]
  const rows = []
  for (const each of cases) rows.push(await measure(each, ours, peer))
  console.table(rows)
} finally {
  await store.close()
  await level.close()
  rmSync(directory, { recursive: true })
}
