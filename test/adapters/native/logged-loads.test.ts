/** HFiles that are loaded while readers hold the log: their cells come as changes, and reads see the same as of an adopted file. */

import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { DEFAULT_COMPACTION_OPTIONS } from '../../../adapters/native/options/compaction-options.ts'
import type { NativeOptions } from '../../../adapters/native/options/native-options.ts'
import { DEFAULT_SPLIT_OPTIONS } from '../../../adapters/native/options/split-options.ts'
import { EMPTY } from '../../../src/model/bytes.ts'
import { type CellParts, CellType, compareCells } from '../../../src/model/cell.ts'
import { blockOf, CELL_PREFIX_BYTES, cellsOf } from '../../../src/model/cell-block.ts'
import { tag } from '../../../src/model/cell-tags.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { ALL_VERSIONS, type Scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { BulkLoadFile } from '../../../src/store/upkeep.ts'
import { testRuns } from '../../harness/test-runs.ts'
import { stored, writeFile } from './hfile/cells.ts'
import { StoreUnderTest, TABLE } from './store-under-test.ts'

const READ = { ...OWN_CALL, withTags: true }
/** No region is split by itself. */
const WHOLE = { ...DEFAULT_SPLIT_OPTIONS, initialBytes: 1 << 30 }
/** A compaction lets tombstones go, so that older cells that come later are seen. */
const NEVER = { ...DEFAULT_COMPACTION_OPTIONS, filesMin: 1000, blockingFiles: 1000 }
const KEEP_BYTES = 1 << 30
const UUID = '01234567-89ab-cdef-0123-456789abcdef'
const opened: StoreUnderTest[] = []

afterEach(async () => {
  for (const session of opened.splice(0)) await session.store.close()
})

interface Opening {
  readonly isHeld: boolean
  readonly scope?: string
  readonly options?: Partial<NativeOptions>
  readonly splits?: readonly string[]
  /** Nothing that was ever written goes. */
  readonly keepsAll?: boolean
}

async function openStore({
  isHeld,
  scope = '1',
  options,
  splits = [],
  keepsAll = false,
}: Opening): Promise<StoreUnderTest> {
  const session = await StoreUnderTest.open(options, undefined, Math.random)
  opened.push(session)
  const families = ['f', 'g'].map((name) =>
    familyDescriptor(name, [
      ['REPLICATION_SCOPE', scope],
      ['VERSIONS', keepsAll ? '100' : '3'],
      ['KEEP_DELETED_CELLS', keepsAll ? 'TRUE' : 'FALSE'],
    ]),
  )
  await session.createTable(tableDescriptor(TABLE, families), splits)
  if (isHeld) await session.store.upkeep.changes!.holdLog('reader', undefined, KEEP_BYTES, OWN_CALL)
  return session
}

/** Writes an HFile of the cells, which are of one family. */
function addFile(session: StoreUnderTest, name: string, cells: readonly CellParts[]): BulkLoadFile {
  const { family } = cells[0]!
  const written = cells.map((cell) => {
    const { buffer, start, end } = blockOf([{ ...cell, tags: EMPTY }])
    return stored(Buffer.from(buffer.subarray(start + CELL_PREFIX_BYTES, end)), 0, cell.tags ?? EMPTY)
  })
  written.sort((a, b) => compareCells(a.keyValue, 0, b.keyValue, 0))
  const path = `/in/${family.toString()}/${name}`
  session.fileSystem.replace(path, writeFile(written, { includeTags: true }).bytes)
  return { family, path: `file:${path}` }
}

async function load(session: StoreUnderTest, files: readonly BulkLoadFile[], region = 0): Promise<boolean> {
  const { encodedName } = (await session.store.catalog.regions(TABLE, OWN_CALL))[region]!
  return session.store.upkeep.bulkLoads!.bulkLoad({ table: TABLE, encodedName }, files, OWN_CALL)
}

function textOf({ row, family, qualifier, timestamp, type, value, tags }: CellParts): string {
  const key = `${row.toString()}/${family.toString()}:${qualifier.toString()}@${timestamp}#${type}`
  return `${key}=${value.toString()} ${(tags ?? EMPTY).toString('hex')}`
}

async function read(session: StoreUnderTest, options: Partial<Scan>): Promise<string[]> {
  const scanner = await session.scanner({ ...options, withTags: true })
  const found: string[] = []
  for (let isOver = false; !isOver; ) {
    const batch = await scanner.next({ rows: 1000, bytes: 1 << 24, allowPartial: false }, READ)
    found.push(...cellsOf(gathered(batch.results).cells).map(textOf))
    isOver = batch.ended === 'scan'
  }
  await scanner.close()
  return found
}

/** The cells of all changes, and the clusters that they state. */
async function changesOf(session: StoreUnderTest): Promise<{ cells: string[]; clusters: Set<string> }> {
  const changes = session.store.upkeep.changes!
  const cells: string[] = []
  const clusters = new Set<string>()
  for (let position = await changes.firstPosition(OWN_CALL), left = 1; left > 0; ) {
    const part = await changes.readChanges(position, { table: TABLE, bytes: 1 << 20, waitMs: 0 }, OWN_CALL)
    for (const change of part.changes) {
      cells.push(...cellsOf(change.cells).map(textOf))
      for (const id of change.clusterIds) clusters.add(id)
    }
    ;({ position, left } = part)
  }
  return { cells, clusters }
}

/** The loaded cells of all changes. */
async function loadedChanges(session: StoreUnderTest): Promise<string[]> {
  const { cells } = await changesOf(session)
  return cells.filter((cell) => cell.startsWith('r'))
}

/** The store that a kill would leave now. */
function forkOf({ fileSystem }: StoreUnderTest, options: Partial<NativeOptions>): Promise<StoreUnderTest> {
  return StoreUnderTest.open(options, fileSystem.fork(), Math.random)
}

function keyOf(text: string): string {
  return text.slice(0, text.indexOf('='))
}

/** Of cells with one key, the first counts. */
function firstOfKeys(cells: readonly string[]): string[] {
  return cells.filter((cell, index) => cells.findIndex((other) => keyOf(other) === keyOf(cell)) === index)
}

const anyCell = fc.record({
  row: fc.constantFrom('a', 'b', 'c', 'mm', 'n'),
  qualifier: fc.constantFrom('', 'p', 'q'),
  timestamp: fc.constantFrom(1n, 2n, 3n, 0x7fff_ffff_ffff_ffffn),
  type: fc.constantFrom(
    CellType.Put,
    CellType.Put,
    CellType.Delete,
    CellType.DeleteColumn,
    CellType.DeleteFamily,
    CellType.DeleteFamilyVersion,
  ),
  value: fc.integer({ min: 0, max: 99 }),
  tagged: fc.boolean(),
})

type DrawnCell = typeof anyCell extends fc.Arbitrary<infer Cell> ? Cell : never

function cellOf({ row, qualifier, timestamp, type, value, tagged }: DrawnCell, family: string): CellParts {
  const isOfFamily = type === CellType.DeleteFamily || type === CellType.DeleteFamilyVersion
  return {
    row: Buffer.from(row),
    family: Buffer.from(family),
    qualifier: Buffer.from(isOfFamily ? '' : qualifier),
    timestamp,
    type,
    value: type === CellType.Put ? Buffer.from(String(value)) : EMPTY,
    ...(tagged && { tags: tag(33, Buffer.from('t')) }),
  }
}

const anyFile = fc.record({
  family: fc.constantFrom('f', 'g'),
  cells: fc.array(anyCell, { minLength: 1, maxLength: 12 }),
})
const anyLoads = fc.array(fc.array(anyFile, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })

describe('a load into a replicated family while the log is held', () => {
  it('is for reads as one of an adopted file, and each cell is a change', async () => {
    const drawn = fc.record({
      loads: anyLoads,
      flushBytes: fc.constantFrom(1, 1 << 20),
      keepsAll: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(drawn, async ({ loads, flushBytes, keepsAll }) => {
        const options = { flushBytes, blockMultiplier: 1 << 20, split: WHOLE, compaction: NEVER }
        const held = await openStore({ isHeld: true, options, keepsAll })
        const free = await openStore({ isHeld: false, options, keepsAll })
        const all: string[] = []
        for (const [round, files] of loads.entries()) {
          await Promise.all([held, free].map((each) => each.put(['b'], { value: `put ${round}` })))
          for (const session of [held, free]) {
            const added = files.map(({ family, cells }, index) =>
              addFile(
                session,
                `${round}-${index}`,
                cells.map((cell) => cellOf(cell, family)),
              ),
            )
            expect(await load(session, added)).toBe(true)
          }
          // Of one key the newest file counts, and in it the first cell.
          const newestFirst = files
            .toReversed()
            .flatMap(({ family, cells }) => cells.map((cell) => textOf(cellOf(cell, family))))
          all.push(...firstOfKeys(newestFirst))
        }
        const scans = [{}, { maxVersions: ALL_VERSIONS }, { timeRange: TimeRange.between(2n, 4n) }]
        for (const scan of scans) expect(await read(held, scan)).toEqual(await read(free, scan))
        const raw = { raw: true, maxVersions: ALL_VERSIONS }
        if (keepsAll) expect(firstOfKeys(await read(held, raw))).toEqual(firstOfKeys(await read(free, raw)))
        const changed = (await changesOf(held)).cells.filter((cell) => !cell.includes('=put '))
        expect(changed.toSorted()).toEqual(all.toSorted())
        expect((await changesOf(free)).cells.every((cell) => cell.includes('=put '))).toBe(true)
        const again = await forkOf(held, options)
        for (const scan of scans) expect(await read(again, scan)).toEqual(await read(free, scan))
        for (const session of [again, ...opened.splice(0)]) await session.store.close()
      }),
      { numRuns: testRuns(30), endOnFailure: true },
    )
  })

  it('states the clusters that it has been to, and none where no other cluster is to get it', async () => {
    const session = await openStore({ isHeld: true })
    const file = addFile(session, '1', [cellOf(CELL, 'f')])
    await load(session, [{ ...file, isReplicated: false }])
    expect((await changesOf(session)).cells).toEqual([])
    await load(session, [{ ...file, clusterIds: [UUID, 'no UUID'] }])
    expect([...(await changesOf(session)).clusters]).toEqual([UUID])
  })

  it('is as before without a scope, without a hold, and for a hold that was lost', async () => {
    const unscoped = await openStore({ isHeld: true, scope: '0' })
    await load(unscoped, [addFile(unscoped, '1', [cellOf(CELL, 'f')])])
    expect((await changesOf(unscoped)).cells).toEqual([])
    const released = await openStore({ isHeld: true })
    await released.store.upkeep.changes!.releaseLog('reader', OWN_CALL)
    await load(released, [addFile(released, '1', [cellOf(CELL, 'f')])])
    expect((await changesOf(released)).cells).toEqual([])
  })

  it('leaves nothing where a file is damaged, is not there, or has rows of another region', async () => {
    const session = await openStore({ isHeld: true, splits: ['m'] })
    const whole = addFile(session, '1', [cellOf(CELL, 'f')])
    const damaged = addFile(session, '2', [cellOf({ ...CELL, row: 'b' }, 'g')])
    const path = damaged.path.slice('file:'.length)
    const bytes = Buffer.from(session.fileSystem.bytesOf(path))
    bytes[60]! ^= 1
    session.fileSystem.replace(path, bytes)
    await expect(load(session, [whole, damaged])).rejects.toMatchObject({ code: 'CORRUPTION' })
    const absent = { family: whole.family, path: 'file:/in/f/none' }
    await expect(load(session, [whole, absent])).rejects.toMatchObject({ code: 'IO' })
    expect(await load(session, [whole, addFile(session, '3', [cellOf({ ...CELL, row: 'n' }, 'f')])])).toBe(
      false,
    )
    expect(await read(session, { raw: true })).toEqual([])
    expect((await changesOf(session)).cells).toEqual([])
    await expect.poll(() => session.paths('/s/data').filter((known) => !known.endsWith('/'))).toEqual([])
  })
})

const CELL: DrawnCell = {
  row: 'a',
  qualifier: 'q',
  timestamp: 1n,
  type: CellType.Put,
  value: 1,
  tagged: false,
}

/** Some megabytes: many blocks, and flushes while they are written. */
function manyCells(count: number): CellParts[] {
  return Array.from({ length: count }, (_, index) => ({
    ...cellOf(CELL, 'f'),
    row: Buffer.from(`r${String(index >> 1).padStart(6, '0')}`),
    qualifier: Buffer.from(`q${index & 1}`),
    value: Buffer.alloc(1000, index),
  }))
}

const SMALL = { flushBytes: 1 << 20, memstoreBytesMax: 4 << 20, split: WHOLE }

describe('a long load through the log', () => {
  const cells = manyCells(6000)
  const all = cells.map(textOf)

  /** Begins the load. `until`: writes until reads see the row of the loaded cell; false once the load is over. */
  async function begin(
    session: StoreUnderTest,
    name: string,
  ): Promise<{
    loading: Promise<boolean>
    until: (index: number) => Promise<boolean>
    writes: () => number
  }> {
    const loading = load(session, [addFile(session, name, cells)])
    const state = { isOver: false, writes: 0 }
    const ended = (): void => {
      state.isOver = true
    }
    loading.then(ended, ended)
    const until = async (index: number): Promise<boolean> => {
      while (!state.isOver) {
        await session.put([`w${state.writes++}`])
        const [found] = await session.rows({ startRow: cells[index]!.row, limit: 1 })
        if (found?.startsWith('r') === true) return !state.isOver
      }
      return false
    }
    return { loading, until, writes: () => state.writes }
  }

  it('keeps to the memory of the memstores, lets others write, and goes on in the halves of a region', async () => {
    const session = await openStore({ isHeld: true, options: SMALL })
    const { loading, until, writes } = await begin(session, '1')
    expect(await until(0)).toBe(true)
    const [region] = await session.store.catalog.regions(TABLE, OWN_CALL)
    await session.store.upkeep.regions!.splitRegion(region!.name, cells[5701]!.row, OWN_CALL)
    // The row is within a block that is still to come.
    expect(await session.rows({ startRow: cells[5101]!.row, stopRow: Buffer.from('s'), limit: 1 })).toEqual(
      [],
    )
    const loads = await session.store.upkeep.loads!.regionLoads(OWN_CALL)
    expect(loads.reduce((sum, { memStoreSizeMB }) => sum + memStoreSizeMB, 0)).toBeLessThan(5)
    await until(cells.length - 1)
    expect(await loading).toBe(true)
    expect(writes()).toBeGreaterThan(4)
    expect(await session.store.catalog.regions(TABLE, OWN_CALL)).toHaveLength(2)
    const ofSecond = { startRow: cells[5701]!.row, stopRow: Buffer.from('s') }
    expect(await read(session, ofSecond)).toEqual(all.slice(5700))
    expect((await read(session, {})).filter((cell) => cell.startsWith('r'))).toEqual(all)
    expect(await loadedChanges(session)).toEqual(all)
  })

  it('that a kill cuts off has whole rows from the beginning on, as the log has, and may be repeated', async () => {
    const session = await openStore({ isHeld: true, options: SMALL })
    const { loading, until } = await begin(session, '1')
    expect(await until(1500)).toBe(true)
    const again = await forkOf(session, SMALL)
    opened.push(again)
    expect(await loading).toBe(true)
    const found = (await read(again, {})).filter((cell) => cell.startsWith('r'))
    expect(found.length).toBeGreaterThan(1500)
    expect(found.length % 2).toBe(0)
    expect(found).toEqual(all.slice(0, found.length))
    expect(found.length).toBeLessThan(all.length)
    expect(await loadedChanges(again)).toEqual(found)
    expect(await load(again, [{ family: Buffer.from('f'), path: 'file:/in/f/1' }])).toBe(true)
    expect((await read(again, {})).filter((cell) => cell.startsWith('r'))).toEqual(all)
  })

  it('ends with its table, and with the store', async () => {
    const session = await openStore({ isHeld: true, options: SMALL })
    const first = await begin(session, '1')
    const disabled = expect(first.loading).rejects.toMatchObject({ code: 'TABLE_NOT_ENABLED' })
    expect(await first.until(0)).toBe(true)
    await session.store.catalog.disableTable(TABLE, OWN_CALL)
    await disabled
    await session.store.catalog.truncateTable(TABLE, true, OWN_CALL)
    const second = await begin(session, '2')
    const closed = expect(second.loading).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await second.until(0)).toBe(true)
    await session.store.close()
    await closed
  })
})
