/**
 * The cells that filters make scans read, in process: `npm run bench:filters`. A table of 1,000,000 rows and one of 1,000
 * rows of 1,000 columns, half of each in a store file and half in a memstore. Places are the cells at which a run's
 * iterator stood, even to step over them; the filters of the last scans must look at every cell.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
import { CellType, cellLength } from '../src/model/cell.ts'
import { CellBlockBuilder } from '../src/model/cell-block.ts'
import { familyDescriptor } from '../src/model/descriptor.ts'
import type { Filter } from '../src/model/filter.ts'
import { type Scan, scan } from '../src/model/query.ts'
import { CountedRun, ReadCounts } from '../test/harness/counted-run.ts'

const FAMILY = Buffer.from('f')
const RULES = familyRules(familyDescriptor('f'))
const VALUE = Buffer.alloc(100, 0x76)
const LIMITS = { rows: 10_000, bytes: 8 << 20, allowPartial: false }
const ROUNDS = 3

interface Table {
  readonly name: string
  readonly runs: readonly CellRun[]
}

interface Case {
  readonly name: string
  readonly table: Table
  readonly scan: Partial<Scan>
}

function digits(number: number, length: number): string {
  return String(number).padStart(length, '0')
}

/** The cells in order, every other one in a store file at `path`. */
function fill(name: string, path: string, columnsOf: Iterable<readonly [string, string]>): Table {
  const writer = new HFileWriter(NODE_FILE_SYSTEM.open(path, 'create'), { createTime: 0 })
  const memstore = new Memstore(new ChunkPool())
  const cell = new CellBlockBuilder()
  let sequenceId = 0
  for (const [row, qualifier] of columnsOf) {
    cell.length = 0
    cell.append(Buffer.from(row), FAMILY, Buffer.from(qualifier), 0, 1, CellType.Put, VALUE)
    sequenceId++
    if (sequenceId % 2 === 0) writer.append(cell.buffer, 4, sequenceId)
    else memstore.add(cell.buffer, 4, cellLength(cell.buffer, 4), 0, 0, sequenceId)
  }
  writer.finish({ maxSequenceId: sequenceId, majorCompaction: false })
  const file = openHFile(NODE_FILE_SYSTEM.open(path, 'read'), {
    fileId: sequenceId,
    blockCache: new LruBlockCache(),
  })
  return { name, runs: [memstore, file] }
}

/** `00-00-00` to `99-99-99`. */
function* manyRows(): Generator<readonly [string, string]> {
  for (let row = 0; row < 1_000_000; row++) {
    const text = digits(row, 6)
    yield [`${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4)}`, 'q']
  }
}

/** Rows `000` to `999` of columns `c000` to `c999`. */
function* wideRows(): Generator<readonly [string, string]> {
  for (let cell = 0; cell < 1_000_000; cell++) {
    const text = digits(cell, 6)
    yield [text.slice(0, 3), `c${text.slice(3)}`]
  }
}

function read(runs: readonly CellRun[], query: Partial<Scan>): { rows: number; cells: number } {
  const loans = new Loans()
  const context = { readPoint: Number.POSITIVE_INFINITY, now: 1, loans, random: Math.random }
  const scanner = new RegionScanner([{ rules: RULES, runs }], scan(query), context)
  let rows = 0
  let cells = 0
  for (let more = true; more; ) {
    const batch = scanner.next(LIMITS)
    rows += batch.results.counts.length
    for (const count of batch.results.counts) cells += count
    more = batch.more
    const { loan } = batch.results
    if (loan !== undefined) loans.release(loan)
  }
  scanner.close()
  return { rows, cells }
}

function row(text: string): Buffer {
  return Buffer.from(text)
}

function fuzzy(pattern: string): Filter {
  const bytes = row(pattern)
  const mask = Buffer.from(bytes.map((byte) => (byte === 0x3f ? 1 : 0)))
  return { kind: 'FuzzyRowFilter', keys: [{ row: bytes, mask }], isMaskV2: false }
}

const PREFIX: Filter = { kind: 'PrefixFilter', prefix: row('42-17-') }
const RANGES: Filter = {
  kind: 'MultiRowRangeFilter',
  ranges: Array.from({ length: 10 }, (_, i) => ({
    startRow: row(`${i}5-17-20`),
    includeStartRow: true,
    stopRow: row(`${i}5-17-30`),
    includeStopRow: false,
  })),
}
const COLUMN_RANGE: Filter = {
  kind: 'ColumnRangeFilter',
  min: row('c500'),
  includeMin: true,
  max: row('c510'),
  includeMax: false,
}
const NO_VALUE: Filter = {
  kind: 'ValueFilter',
  operator: 'EQUAL',
  comparator: { kind: 'BinaryComparator', value: row('none') },
}

function casesOf(many: Table, wide: Table): Case[] {
  const of = (table: Table, name: string, filter: Filter, more: Partial<Scan> = {}): Case => ({
    name,
    table,
    scan: { filter, ...more },
  })
  const rowEquals: Filter = {
    kind: 'RowFilter',
    operator: 'EQUAL',
    comparator: { kind: 'BinaryComparator', value: row('42-17-05') },
  }
  const both: Filter = { kind: 'FilterList', operator: 'MUST_PASS_ALL', filters: [PREFIX, fuzzy('??-??-?5')] }
  const either: Filter = { kind: 'FilterList', operator: 'MUST_PASS_ONE', filters: [PREFIX, rowEquals] }
  return [
    of(many, "PrefixFilter '42-17-'", PREFIX),
    of(many, 'the same, reversed', PREFIX, { reversed: true }),
    of(many, "RowFilter = '42-17-05'", rowEquals),
    of(many, 'MultiRowRangeFilter, 10 ranges of 10', RANGES),
    of(many, 'the same, reversed', RANGES, { reversed: true }),
    of(many, "FuzzyRowFilter '42-??-05'", fuzzy('42-??-05')),
    of(many, "FuzzyRowFilter '??-17-05'", fuzzy('??-17-05')),
    of(many, 'the same, reversed', fuzzy('??-17-05'), { reversed: true }),
    of(many, "PrefixFilter '42-17-' AND fuzzy '??-??-?5'", both),
    of(many, "PrefixFilter '42-17-' OR RowFilter =", either),
    of(wide, "ColumnRangeFilter ['c500', 'c510')", COLUMN_RANGE),
    of(wide, "ColumnPrefixFilter 'c50'", { kind: 'ColumnPrefixFilter', prefix: row('c50') }),
    of(wide, 'FirstKeyOnlyFilter', { kind: 'FirstKeyOnlyFilter' }),
    of(many, 'ValueFilter = nothing that is there', NO_VALUE),
    { name: 'no filter', table: many, scan: {} },
  ]
}

function measure({ name, table, scan: query }: Case): Record<string, string | number> {
  const counts = new ReadCounts()
  const counted = table.runs.map((run) => new CountedRun(run, counts))
  const { rows, cells } = read(counted, query)
  const times = Array.from({ length: ROUNDS }, () => {
    const start = process.hrtime.bigint()
    read(table.runs, query)
    return Number(process.hrtime.bigint() - start) / 1e6
  })
  return {
    filter: name,
    table: table.name,
    'rows returned': rows,
    'cells returned': cells,
    'rows examined': counts.rows,
    'places examined': counts.cells,
    seeks: counts.seeks,
    'rows examined a row': rows === 0 ? '-' : (counts.rows / rows).toFixed(2),
    'places a cell': cells === 0 ? '-' : (counts.cells / cells).toFixed(2),
    ms: Math.min(...times).toFixed(1),
  }
}

const directory = mkdtempSync(join(tmpdir(), 'tidegate-filters-'))
try {
  const many = fill('1,000,000 rows', join(directory, 'many'), manyRows())
  const wide = fill('1,000 wide rows', join(directory, 'wide'), wideRows())
  console.table(casesOf(many, wide).map(measure))
} finally {
  rmSync(directory, { recursive: true })
}
