/**
 * Reads of the engine in process beside classic-level (LevelDB), in one run: `npm run bench:engine-gets`. Both have the same
 * rows: key `row0000001`, one value of 100 bytes, 64 KB blocks, no compression, a cache for all of it, filters on. The last
 * case compares the engine with itself: a cache for half of the blocks against one for all.
 *
 * Only the ratios mean something: absolute figures swing with the machine. Rounds alternate between the two sides and the
 * median round counts; the first one warms up and is left out. TIDEGATE_BENCH_ROWS is the number of rows.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClassicLevel } from 'classic-level'
import type { CellRun } from '../adapters/native/cells/cell-run.ts'
import { LruBlockCache } from '../adapters/native/hfile/block-cache.ts'
import { openHFile } from '../adapters/native/hfile/hfile.ts'
import { HFileWriter } from '../adapters/native/hfile/hfile-writer.ts'
import { ChunkPool } from '../adapters/native/memstore/chunk-pool.ts'
import { Memstore } from '../adapters/native/memstore/memstore.ts'
import { NODE_FILE_SYSTEM } from '../adapters/native/platform/node-file-system.ts'
import { familyRules } from '../adapters/native/read/family-rules.ts'
import { Loans } from '../adapters/native/read/loans.ts'
import { RegionScanner } from '../adapters/native/read/region-scanner.ts'
import { RowReader } from '../adapters/native/read/row-reader.ts'
import { CellType, cellLength } from '../src/model/cell.ts'
import { CellBlockBuilder } from '../src/model/cell-block.ts'
import { familyDescriptor } from '../src/model/descriptor.ts'
import { get, scan } from '../src/model/query.ts'

const ROWS = Number(process.env['TIDEGATE_BENCH_ROWS'] ?? 1_000_000)
const GETS = 100_000
const BATCH = 100
const ROUNDS = 5
const CACHE_BYTES = 1 << 29
const BLOCK_BYTES = 65536

const FAMILY = Buffer.from('f')
const QUALIFIER = Buffer.from('q')
const RULES = familyRules(familyDescriptor('f'))
const CONTEXT = { readPoint: Number.POSITIVE_INFINITY, now: 1 }

/** Reads some rows and returns how many it found. */
type Reads = () => number | Promise<number>

interface Case {
  readonly name: string
  /** The least ratio of `ours` to `peer`. */
  readonly goal: number
  readonly ours: Reads
  readonly peer: Reads
}

function rowKey(i: number): Buffer {
  return Buffer.from(`row${String(i).padStart(7, '0')}`)
}

function valueOf(i: number): Buffer {
  return Buffer.alloc(100, `value ${i} `)
}

function appendCell(cell: CellBlockBuilder, i: number): void {
  cell.length = 0
  cell.append(rowKey(i), FAMILY, QUALIFIER, 0, 1, CellType.Put, valueOf(i))
}

/** Every `step`th row from `first` on. */
function writeFile(path: string, first: number, step: number): void {
  const writer = new HFileWriter(NODE_FILE_SYSTEM.open(path, 'create'), { createTime: 0 })
  const cell = new CellBlockBuilder()
  for (let i = first; i < ROWS; i += step) {
    appendCell(cell, i)
    writer.append(cell.buffer, 4, i + 1)
  }
  writer.finish({ maxSequenceId: ROWS, majorCompaction: false })
}

function openFile(path: string, fileId: number, blockCache: LruBlockCache): CellRun {
  return openHFile(NODE_FILE_SYSTEM.open(path, 'read'), { fileId, blockCache })
}

function memstore(): CellRun {
  const run = new Memstore(new ChunkPool())
  const cell = new CellBlockBuilder()
  for (let i = 0; i < ROWS; i++) {
    appendCell(cell, i)
    run.add(cell.buffer, 4, cellLength(cell.buffer, 4), 0, 0, i + 1)
  }
  return run
}

/** The rows of a round, at random but the same for all. */
const KEYS = Array.from({ length: GETS }, (_, i) => rowKey(Math.floor((i * 2654435761) % ROWS)))

function gets(runs: readonly CellRun[], keys: readonly Buffer[] = KEYS): Reads {
  const reader = new RowReader(Math.random)
  const families = [{ rules: RULES, runs }]
  return () => {
    let found = 0
    const target = new CellBlockBuilder()
    for (let i = 0; i < keys.length; i++) {
      if (i % BATCH === 0) {
        target.length = 0
        target.count = 0
      }
      found += reader.read(families, get(keys[i]!), CONTEXT, target)
    }
    return found
  }
}

function scans(runs: readonly CellRun[]): Reads {
  return () => {
    const loans = new Loans()
    const scanner = new RegionScanner([{ rules: RULES, runs }], scan(), {
      ...CONTEXT,
      loans,
      random: Math.random,
    })
    let rows = 0
    for (let more = true; more; ) {
      const batch = scanner.next({ rows: 1000, bytes: 1 << 21, allowPartial: false })
      rows += batch.results.counts.length
      more = batch.more
      if (batch.results.loan !== undefined) loans.release(batch.results.loan)
    }
    scanner.close()
    return rows
  }
}

type Level = ClassicLevel<Buffer, Buffer>

async function fillLevel(path: string): Promise<Level> {
  const options = { keyEncoding: 'buffer', valueEncoding: 'buffer', compression: false } as const
  const level = new ClassicLevel<Buffer, Buffer>(path, {
    ...options,
    cacheSize: CACHE_BYTES,
    blockSize: BLOCK_BYTES,
  })
  await level.open()
  for (let i = 0; i < ROWS; i += 1000) {
    const count = Math.min(1000, ROWS - i)
    await level.batch(
      Array.from({ length: count }, (_, j) => ({ type: 'put', key: rowKey(i + j), value: valueOf(i + j) })),
    )
  }
  // One file per key range, as after all compactions.
  await level.compactRange(rowKey(0), rowKey(ROWS))
  return level
}

function levelGets(level: Level): Reads {
  return () => KEYS.reduce((found, key) => found + (level.getSync(key) === undefined ? 0 : 1), 0)
}

function levelGetMany(level: Level): Reads {
  return async () => {
    let found = 0
    for (let i = 0; i < KEYS.length; i += BATCH)
      found += (await level.getMany(KEYS.slice(i, i + BATCH))).length
    return found
  }
}

function levelScan(level: Level): Reads {
  return async () => {
    const iterator = level.iterator()
    let rows = 0
    for (let batch = await iterator.nextv(1000); batch.length > 0; batch = await iterator.nextv(1000))
      rows += batch.length
    await iterator.close()
    return rows
  }
}

async function perSecond(reads: Reads): Promise<number> {
  const start = performance.now()
  const rows = await reads()
  return (rows / (performance.now() - start)) * 1000
}

/** In thousands. */
function k(figure: number): string {
  return `${Math.round(figure / 1000)} k`
}

function median(figures: readonly number[]): number {
  return [...figures].sort((a, b) => a - b)[figures.length >> 1]!
}

async function measure({ name, goal, ours, peer }: Case): Promise<Record<string, string | number>> {
  const [a, b]: [number[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++) {
    const one = await perSecond(ours)
    const other = await perSecond(peer)
    if (round > 0) a.push(one)
    if (round > 0) b.push(other)
  }
  const ratio = median(a) / median(b)
  if (ratio < goal) process.exitCode = 1
  return { case: name, ours: k(median(a)), peer: k(median(b)), ratio: ratio.toFixed(2), goal }
}

const directory = mkdtempSync(join(tmpdir(), 'tidegate-gets-'))
try {
  const paths = ['all', 'a', 'b', 'c'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
    string,
  ]
  const [all, ...thirds] = paths
  writeFile(all, 0, 1)
  for (const [i, path] of thirds.entries()) writeFile(path, i, 3)
  const cache = new LruBlockCache(CACHE_BYTES)
  const one = [openFile(all, 1, cache)]
  const three = thirds.map((path, i) => openFile(path, 2 + i, cache))
  // 150 bytes a row: its cell, its tags' and sequence id's places, its part of the search index.
  const halfCached = [openFile(all, 1, new LruBlockCache(ROWS * 75))]
  const level = await fillLevel(join(directory, 'level'))
  const inMemory = [memstore()]
  const cases: Case[] = [
    { name: 'get, memstore', goal: 3, ours: gets(inMemory), peer: levelGets(level) },
    { name: 'get, one file', goal: 2.5, ours: gets(one), peer: levelGets(level) },
    { name: 'get, three files', goal: 2, ours: gets(three), peer: levelGets(level) },
    { name: 'gets of 100 rows, one file', goal: 2.5, ours: gets(one), peer: levelGetMany(level) },
    { name: 'scan, one file', goal: 10, ours: scans(one), peer: levelScan(level) },
    { name: 'scan, three files', goal: 10, ours: scans(three), peer: levelScan(level) },
    { name: 'get, cache of half the data / of all', goal: 0.5, ours: gets(halfCached), peer: gets(one) },
  ]
  const rows = []
  for (const each of cases) rows.push(await measure(each))
  console.table(rows)
  await level.close()
} finally {
  rmSync(directory, { recursive: true })
}
