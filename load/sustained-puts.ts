/**
 * Puts without a pause, in process, with flushes and compactions as they come, beside the same without compactions:
 * `npm run bench:puts`. Stalls are delays of the event loop: for so long the server would have answered no other client.
 *
 * TIDEGATE_BENCH_ROWS is the number of rows of 100 bytes (10,000,000), in batches of 100; TIDEGATE_BENCH_FLUSH_MIB the size of a
 * flush (128). On a machine that others use, the delays are theirs, too; the processor time of the main thread between two of
 * its turns is its own.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DEFAULT_NATIVE_OPTIONS } from '../adapters/native/options/native-options.ts'
import { batchOf, metric, openBenchStore, write } from './bench-store.ts'

const ROWS = Number(process.env['TIDEGATE_BENCH_ROWS'] ?? 10_000_000)
const FLUSH_MIB = Number(process.env['TIDEGATE_BENCH_FLUSH_MIB'] ?? 128)
const BATCH = 100
/** No stall is longer, in milliseconds. */
const GOAL_MS = 100

interface Measured {
  readonly rowsPerSecond: number
  readonly loopMaxMs: number
  readonly loopP99Ms: number
  readonly batchMaxMs: number
  /** The most processor time that the main thread took at a stretch; NaN where the system does not tell. */
  readonly stretchMaxMs: number
  readonly refused: number
  readonly compactions: number
}

/** Processor time of the main thread so far. */
function ownMs(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6
  } catch {
    return Number.NaN
  }
}

async function run(compacts: boolean): Promise<Measured> {
  const directory = mkdtempSync(join(tmpdir(), 'tidegate-bench-'))
  const { compaction } = DEFAULT_NATIVE_OPTIONS
  const never = { ...compaction, filesMin: 10_000, blockingFiles: 10_000 }
  const store = await openBenchStore(directory, {
    compaction: compacts ? compaction : never,
    flushBytes: FLUSH_MIB * 1024 * 1024,
  })
  const delays = monitorEventLoopDelay({ resolution: 1 })
  try {
    delays.enable()
    const startedAt = performance.now()
    let [batchMaxMs, stretchMaxMs, refused] = [0, 0, 0]
    let turnStartMs = ownMs()
    const turns = setInterval(() => {
      const now = ownMs()
      stretchMaxMs = Math.max(stretchMaxMs, now - turnStartMs)
      turnStartMs = now
    }, 0)
    for (let number = 0; number < ROWS / BATCH; number++) {
      const batch = batchOf(number, BATCH)
      const sentAt = performance.now()
      refused += await write(store, batch)
      batchMaxMs = Math.max(batchMaxMs, performance.now() - sentAt)
    }
    const seconds = (performance.now() - startedAt) / 1000
    delays.disable()
    clearInterval(turns)
    return {
      rowsPerSecond: ROWS / seconds,
      loopMaxMs: delays.max / 1e6,
      loopP99Ms: delays.percentile(99) / 1e6,
      batchMaxMs,
      stretchMaxMs,
      refused,
      compactions: await metric(store, 'compactions_total'),
    }
  } finally {
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

function summary(name: string, side: Measured): string {
  return (
    `  ${name}: ${Math.round(side.rowsPerSecond)} rows/s, ${side.compactions} compactions, event loop p99 ${side.loopP99Ms.toFixed(1)} ms, ` +
    `max ${side.loopMaxMs.toFixed(1)} ms, longest work at a stretch ${side.stretchMaxMs.toFixed(1)} ms, slowest batch ${side.batchMaxMs.toFixed(1)} ms, ${side.refused} refused for the moment\n`
  )
}

const without = await run(false)
const with_ = await run(true)
const ratio = with_.rowsPerSecond / without.rowsPerSecond
process.stdout.write(
  `Puts of ${ROWS} rows with compactions, of those without: ratio ${ratio.toFixed(2)}; longest work of the main thread at a stretch ${with_.stretchMaxMs.toFixed(1)} ms (goal ${GOAL_MS})\n` +
    summary('with   ', with_) +
    summary('without', without),
)
// The machine's other work is not ours; where the system does not tell the two apart, the delay counts.
const stall = Number.isNaN(with_.stretchMaxMs) ? with_.loopMaxMs : with_.stretchMaxMs
process.exitCode = stall <= GOAL_MS ? 0 : 1
