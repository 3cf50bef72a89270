/** A server with little memory lives through clients that take all they can get. `npm run attack:memory` is the large form. */

import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChildServer } from '../harness/child-server.ts'
import { askOnce, isWholeFrame } from '../harness/closed-loop.ts'
import { largeBody, openScanners, putAtOnce, slowReaders } from '../harness/memory-attack/attacks.ts'
import { CountedMemory } from '../harness/memory-attack/counted-memory.ts'
import { largePuts, PUTTING_DOORS } from '../harness/memory-attack/large-puts.ts'
import { WatchedGets } from '../harness/memory-attack/watched-gets.ts'
import { checkAnswer, createTable, mutateRow } from '../harness/thrift-frames.ts'
import { makeTemporaryFolder, startTidegate } from '../harness/tidegate-process.ts'

const MIB = 1024 * 1024
/** `npm run attack:memory` tries 384 as well, the least that no client can make the process exceed (docs/limits.md). */
const MEMORY_MAX_MIB = 512
const BODIES = 8
const SCANNERS = 120
const READERS = 40

/** The time that a test has on a busy machine: alone it takes six seconds. */
const BUSY_MS = 180_000

/** A body that is decoded in a thread and flushed in another, and what the process may keep of it: the threads, and the last cells. */
const CELLS = 11
const CELL_BYTES = 9_000_000
const KEPT_BYTES_MAX = 90 * MIB

let server: ChildServer
let folder: string
let watch: NodeJS.Timeout
let mostBytes = 0

beforeAll(async () => {
  folder = makeTemporaryFolder()
  server = await startTidegate(`native:${folder}`, '--memory-max', `${MEMORY_MAX_MIB}m`)
  const thrift = server.port('thrift')
  checkAnswer(await askOnce(thrift, createTable('t', 'f'), isWholeFrame))
  checkAnswer(await askOnce(thrift, mutateRow('t', 'row', 'f:q', 'v'), isWholeFrame))
  watch = setInterval(() => {
    mostBytes = Math.max(mostBytes, server.residentBytes())
  }, 20)
})
afterAll(async () => {
  clearInterval(watch)
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

test(
  'and answers others meanwhile',
  async () => {
    const rest = server.port('rest')
    const gets = new WatchedGets(`http://127.0.0.1:${rest}/t/row`)
    const body = largeBody(2, 5_000_000)
    const outcomes = await putAtOnce(rest, 't', body, BODIES)
    while (!(await putAtOnce(rest, 't', body, 1)).has('200'));
    await openScanners(server.port('thrift'), 't', SCANNERS, async () => undefined)
    const readers = slowReaders(rest, 't', READERS)
    const seen = gets.answers.get(200) ?? 0
    await expect.poll(() => gets.answers.get(200) ?? 0, { timeout: 10_000 }).toBeGreaterThan(seen + 3)
    for (const reader of readers) reader.destroy()
    await gets.stop()
    expect(gets.failures).toEqual([])
    expect([...outcomes.keys()].filter((outcome) => /^[45]/.test(outcome) && outcome !== '503')).toEqual([])
    expect(mostBytes).toBeGreaterThan(0)
    expect(mostBytes).toBeLessThan(MEMORY_MAX_MIB * MIB)
  },
  BUSY_MS,
)

test.each(PUTTING_DOORS)(
  'and takes all puts of more clients than it has memory for at once, by %s',
  async (door) => {
    const counted = new CountedMemory(server)
    const port = server.port(door === 'rpc' || door === 'rest' ? door : 'thrift')
    const outcomes = await largePuts('t', { door, port, clients: 16, puts: 24, valueBytes: 5_000_000 })
    await counted.stop()
    expect(outcomes).toEqual({ puts: 24, refused: 0, failures: [] })
    expect(counted.peak.countedBytes).toBeGreaterThan(0)
    expect(mostBytes).toBeLessThan(MEMORY_MAX_MIB * MIB)
  },
  BUSY_MS,
)

test(
  'and gives back what a burst took, while its threads still live',
  async () => {
    const folder = makeTemporaryFolder()
    const idle = await startTidegate(`native:${folder}`, '--memory-max', '768m')
    try {
      checkAnswer(await askOnce(idle.port('thrift'), createTable('t', 'f'), isWholeFrame))
      const before = idle.residentBytes()
      const body = largeBody(CELLS, CELL_BYTES)
      for (let round = 0; round < 2; round++)
        expect([...(await putAtOnce(idle.port('rest'), 't', body, 1)).keys()]).toEqual(['200'])
      await expect
        .poll(() => idle.residentBytes() - before, { timeout: 40_000, interval: 100 })
        .toBeLessThan(KEPT_BYTES_MAX)
    } finally {
      await idle.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
  BUSY_MS,
)
