/** The store of a litmus test: rows that each write gives the same next value. */

import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { NativeStore } from '../../../adapters/native/native-store.ts'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { DEFAULT_COMPACTION_OPTIONS } from '../../../adapters/native/options/compaction-options.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch, type RowPart } from '../../../src/model/mutation.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { BulkLoadFile } from '../../../src/store/upkeep.ts'
import { LitmusDisk } from './litmus-disk.ts'
import { loadedFile } from './loaded-file.ts'
import type { StoppedWords } from './stopped-words.ts'

export const LITMUS_TABLE: TableName = parseTableName('litmus')
/** The row that gets read comes last: the address 0, which unknown memory seems to have, is that of another one. */
const ROWS = ['c', 'b', 'a']
const FAMILIES = ['f', 'g']
/** The value of all rows in the files of a bulk load, and in writes that the log refuses. */
export const LOADED = 5_000_000
const REFUSED = 7_000_000
/** The log goes on to its next file with each large change. */
const LOG_BYTES = 3 * 1024 * 1024
const LARGE_CELL_BYTES = 500_000

export interface LitmusStoreSettings {
  /** True: all cells have one time stamp. */
  readonly isStill?: boolean
}

export class LitmusStore {
  readonly store: NativeStore
  readonly disk: LitmusDisk
  readonly folder: string
  /** The value of all rows. */
  value = 0
  /** The greatest value that a read may find at this moment. */
  valueMax = 0
  /** True: a read may find the value of a bulk load. */
  isLoaded = false
  #filled = 0

  private constructor(store: NativeStore, disk: LitmusDisk, folder: string) {
    this.store = store
    this.disk = disk
    this.folder = folder
  }

  static async open(words: StoppedWords, { isStill }: LitmusStoreSettings = {}): Promise<LitmusStore> {
    const folder = mkdtempSync(join(tmpdir(), 'tidegate-litmus-'))
    const disk = new LitmusDisk()
    const store = await openNativeStore({
      directory: join(folder, 'store'),
      fileSystem: disk.fileSystem,
      clock: { now: isStill === true ? () => 1_700_000_000_000 : Date.now },
      random: Math.random,
      words,
      options: {
        poisonReleased: true,
        compaction: DEFAULT_COMPACTION_OPTIONS,
        wal: { logBytesMax: LOG_BYTES, syncEveryBytes: LOG_BYTES },
      },
    })
    const families = FAMILIES.map((name) => familyDescriptor(name, [['IN_MEMORY_COMPACTION', 'EAGER']]))
    await store.catalog.createTable(tableDescriptor(LITMUS_TABLE, families), [], OWN_CALL)
    const litmus = new LitmusStore(store, disk, folder)
    await litmus.write()
    return litmus
  }

  /** Gives all rows the next value, in one change. */
  write(): Promise<void> {
    return this.writeTogether(1)
  }

  /** Gives all rows the next values, so many, which one commit shows. */
  async writeTogether(changes: number): Promise<void> {
    const from = this.value
    this.valueMax = from + changes
    await Promise.all(Array.from({ length: changes }, (_, i) => this.#change(from + i + 1)))
    this.value = this.valueMax
  }

  async #change(value: number, more: readonly RowPart[] = []): Promise<void> {
    const parts = [...ROWS.map((row) => partOf(row, 'q', String(value))), ...more]
    await this.store.rows.mutateRows(LITMUS_TABLE, { parts }, OWN_CALL)
  }

  /** As `write`, with so many large cells of both families in the same change. */
  async writeLarge(cells: number): Promise<void> {
    this.valueMax = this.value + 1
    const large = 'x'.repeat(LARGE_CELL_BYTES)
    const more = Array.from({ length: cells }, (_, i) => partOf('z', `q${i}`, large))
    await this.#change(this.valueMax, more)
    this.value = this.valueMax
  }

  /** Changes of one commit that the log refuses, for it has no room. */
  async refused(changes: number): Promise<void> {
    this.disk.isFull = true
    const all = Array.from({ length: changes }, (_, i) => this.#change(REFUSED + i))
    const ends = await Promise.allSettled(all)
    this.disk.isFull = false
    if (ends.some(({ status }) => status === 'fulfilled')) throw new Error('the full log has taken a change')
  }

  /** Puts new rows before those that are read, which move to other nodes of the index, in one change. Their value is the present one. */
  async fill(rows: number): Promise<void> {
    const batch = new MutationBatch()
    for (let i = 0; i < rows; i++) {
      const row = Buffer.from(`A${String(this.#filled++ % 400).padStart(3, '0')}`)
      batch.put(row, Buffer.from('f'), Buffer.from('q'), Buffer.from('x'.repeat(60)))
      batch.endMutation()
    }
    await this.store.rows.mutate(LITMUS_TABLE, batch, OWN_CALL)
  }

  /** Gives all rows the value LOADED, by files that are loaded. */
  async bulkLoad(): Promise<void> {
    const files: BulkLoadFile[] = []
    for (const family of FAMILIES) {
      const path = join(this.folder, `loaded-${family}`)
      if (!existsSync(path)) writeFileSync(path, await loadedFile(family, ROWS, String(LOADED)))
      files.push({ family: Buffer.from(family), path: `file:${path}` })
    }
    const [region] = await this.store.catalog.regions(LITMUS_TABLE, OWN_CALL)
    const { encodedName } = region!
    this.isLoaded = true
    await this.store.upkeep.bulkLoads!.bulkLoad({ table: LITMUS_TABLE, encodedName }, files, OWN_CALL)
  }

  async flush(): Promise<void> {
    await this.store.upkeep.flushes!.flushTable(LITMUS_TABLE, OWN_CALL)
  }

  async compact(): Promise<void> {
    const compactions = this.store.upkeep.compactions!
    await compactions.compactTable(LITMUS_TABLE, { major: true }, OWN_CALL)
    while ((await compactions.compactionState(LITMUS_TABLE, OWN_CALL)) !== 'NONE') await nextTurn()
  }

  /** Splits the region, and merges the halves after a write. */
  async splitAndMerge(): Promise<void> {
    const regions = this.store.upkeep.regions!
    await regions.splitTable(LITMUS_TABLE, Buffer.from('m'), OWN_CALL)
    await this.write()
    const names = (await this.store.catalog.regions(LITMUS_TABLE, OWN_CALL)).map(({ name }) => name)
    await regions.mergeRegions(names, true, OWN_CALL)
  }

  /** The store files. */
  fileNames(): string[] {
    const names = readdirSync(join(this.folder, 'store'), { recursive: true, encoding: 'utf8' })
    return names.filter((name) => /\/[fg]\/\d+$/.test(name))
  }

  /** The value of a counter of the engine. */
  async metric(name: string): Promise<number> {
    const all = await this.store.metrics()
    return all.find((metric) => metric.name === name)!.samples[0]!.value
  }

  async close(): Promise<void> {
    await this.store.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

function partOf(row: string, qualifier: string, value: string): RowPart {
  const batch = new MutationBatch()
  for (const family of FAMILIES)
    batch.put(Buffer.from(row), Buffer.from(family), Buffer.from(qualifier), Buffer.from(value))
  return {
    row: Buffer.from(row),
    operations: [{ kind: 'mutate', cells: batch.cells.block() }],
    options: DEFAULT_MUTATION_OPTIONS,
  }
}
