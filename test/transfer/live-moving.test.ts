/**
 * A table moves from a running HBase to Tidegate and back, by the commands of docs/moving-data.md, while clients write. No acknowledged row is
 * lost, and no increment is lost or counted twice. TIDEGATE_REAL_HBASE names the ports of the HBase, as zookeeper:PORT,...
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'
import { cellsOf } from '../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { piecesOf } from '../../src/transfer/raw-cells.ts'
import { openLive, zookeeper } from '../adapters/hbase/live-store.ts'
import { openRpcStore } from '../harness/rpc-store.ts'
import { MAIN, makeTemporaryFolder } from '../harness/tidegate-process.ts'
import { bytes } from '../store/suite/store-under-test.ts'
import { MovingWriters } from './moving-writers.ts'
import { ALL } from './verify/two-stores.ts'

const TABLE = parseTableName(`moved_${process.pid}`)
const OLD_ROWS = 5000
/** Milliseconds in which clients may be unable to write. The usual time is a few seconds. */
const SWITCH_MS_MAX = 20_000

/** Counters change at every look, and no difference of theirs lasts. */
const UNDER_LOAD = /, equal(?:; \d+ rows? kept changing, without a difference that lasted)?\n$/

/** The commands of each step of the page's section. */
function stepsOf(page: string): string[] {
  const section = page.split('## Moving with replication, and back')[1]!.split('\n## ')[0]!
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map((match) => match[1]!)
}

describe.skipIf(zookeeper === undefined)('a table moves from a live cluster and back', () => {
  const writers = new MovingWriters(TABLE)
  let folder: string
  let hbase: Store
  let tidegate: Tidegate
  let target: Store
  let steps: string[]
  let isOver = false

  beforeAll(async () => {
    folder = makeTemporaryFolder()
    steps = stepsOf(readFileSync('docs/moving-data.md', 'utf8'))
    expect(steps).toHaveLength(7)
    hbase = await openLive()
    tidegate = await startTidegate({ store: `native:${folder}/data`, rpc: 0, zookeeper: 0 })
    target = await openRpcStore(tidegate.ports.rpc!)
    const families = [familyDescriptor('f')]
    await hbase.catalog.createTable(tableDescriptor(TABLE, families), [bytes('row-0500')], OWN_CALL)
    const batch = new MutationBatch()
    for (let i = 0; i < OLD_ROWS; i++)
      batch.put(bytes(`old-${i}`), bytes('f'), bytes('q'), bytes(`${i}`)).endMutation()
    expect(await hbase.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
  }, 60_000)

  afterAll(async () => {
    await writers.stop().catch(() => undefined)
    // Not all peers are there where the test has failed.
    if (!isOver) await run(steps.at(-1)!).catch(() => undefined)
    await hbase.catalog.disableTable(TABLE, OWN_CALL)
    await hbase.catalog.deleteTable(TABLE, OWN_CALL)
    await hbase.close()
    await target.close()
    await tidegate.stop()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  /** Runs the commands of a step; resolves to their output. Throws where one of them does not end with exit code 0. */
  async function run(step: string): Promise<string> {
    const commands = step
      .replaceAll('zk1.example.org:2181', `127.0.0.1:${zookeeper}`)
      .replaceAll('tidegate.example.org:16020', `127.0.0.1:${tidegate.ports.rpc}`)
      .replaceAll('tidegate.example.org:2181', `127.0.0.1:${tidegate.ports.zookeeper}`)
      .replaceAll('orders', TABLE)
    const script = `set -e\ntidegate() { "${process.execPath}" "${MAIN}" "$@" 2>&1; }\n${commands}`
    const child = spawn('sh', ['-c', script], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
    if (code !== 0) throw new Error(`exit code ${code}: ${output}`)
    return output
  }

  /** Stops the clients, waits by the step's command, and starts them on the other side. Resolves to the milliseconds without writes. */
  async function switched(step: string, to: Store): Promise<number> {
    await writers.stop()
    const stopped = performance.now()
    expect(await run(step)).toMatch(/, equal\n$/)
    writers.start(to)
    return performance.now() - stopped
  }

  /** Rows and counters as a reader sees them. */
  async function seen(store: Store): Promise<Record<'rows' | 'counters', Map<string, unknown>>> {
    const [rows, counters] = [new Map<string, unknown>(), new Map<string, unknown>()]
    for await (const piece of piecesOf(store, TABLE, { ...ALL, raw: false, withTags: false }, OWN_CALL)) {
      for (const { row, qualifier, value } of cellsOf(piece.results.cells))
        if (qualifier.equals(bytes('n'))) counters.set(row.toString(), value.readBigInt64BE(0))
        else rows.set(row.toString(), value.toString())
      piece.release()
    }
    return { rows, counters }
  }

  async function bothHaveEverything(): Promise<void> {
    const kept = [...writers.rows].filter(([, value]) => value !== undefined)
    const old = Array.from({ length: OLD_ROWS }, (_, i) => [`old-${i}`, `${i}`] as const)
    const expected = { rows: new Map([...old, ...kept]), counters: writers.counters }
    for (const store of [hbase, target])
      await vi.waitFor(async () => expect(await seen(store)).toEqual(expected), {
        timeout: 20_000,
        interval: 200,
      })
  }

  test('under load, without a lost or doubled change', { timeout: 90_000 }, async () => {
    const [prepare, copy, wayBack, switchTo, compare, switchBack, end] = steps
    writers.start(hbase)
    await run(prepare!)
    expect(await run(copy!)).toMatch(UNDER_LOAD)
    await run(wayBack!)
    const there = await switched(switchTo!, target)
    expect(await run(compare!)).toMatch(UNDER_LOAD)
    const back = await switched(switchBack!, hbase)
    await vi.waitFor(() => expect(writers.counters.size).toBeGreaterThan(0))
    await writers.stop()
    await bothHaveEverything()
    await run(end!)
    isOver = true
    const times = [there, back].map((ms) => (ms / 1000).toFixed(1)).join(' s and ')
    process.stdout.write(`moved ${writers.rows.size} rows; no writes for ${times} s\n`)
    for (const ms of [there, back]) expect(ms).toBeLessThan(SWITCH_MS_MAX)
  })
})
