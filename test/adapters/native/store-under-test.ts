/** A native store on a file system in memory, with short methods for tests. */

import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import type { NativeOptions } from '../../../adapters/native/options/native-options.ts'
import type { RandomSource } from '../../../adapters/native/platform/file-system.ts'
import { openScanner, type Scanner } from '../../../src/gateway/reads/scanner.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { familyDescriptor, type TableDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import type { LoopTurns } from '../../../src/model/loop-turns.ts'
import { type Durability, MutationBatch } from '../../../src/model/mutation.ts'
import { type Scan, scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import { type Call, OWN_CALL } from '../../../src/store/call.ts'
import type { MutationFailure } from '../../../src/store/rows.ts'
import type { Store } from '../../../src/store/store.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'

export const TABLE: TableName = parseTableName('t')

export function tableOf(...families: string[]): TableDescriptor {
  return tableDescriptor(
    TABLE,
    families.map((name) => familyDescriptor(name)),
  )
}

interface PutOptions {
  readonly family?: string
  readonly value?: string
  readonly durability?: Durability
  readonly ttlMs?: number
}

export class StoreUnderTest {
  readonly fileSystem: CrashableFileSystem
  readonly logged: string[] = []
  /** Has the engine look at the clock. */
  wake: () => void = () => undefined
  store!: Store
  time = 1_700_000_000_000

  constructor(fileSystem: CrashableFileSystem = new CrashableFileSystem()) {
    this.fileSystem = fileSystem
  }

  static async open(
    options: Partial<NativeOptions> = {},
    fileSystem?: CrashableFileSystem,
    random: RandomSource = () => 0.5,
    turns?: LoopTurns,
  ): Promise<StoreUnderTest> {
    const opened = new StoreUnderTest(fileSystem)
    opened.store = await openNativeStore({
      directory: '/s',
      fileSystem: opened.fileSystem,
      clock: { now: () => opened.time },
      random,
      ...(turns && { turns }),
      options: { poisonReleased: true, ...options },
      log: (level, message) => opened.logged.push(`${level}: ${message}`),
      wakeUps: (wake) => {
        opened.wake = wake
        return () => undefined
      },
    })
    return opened
  }

  /** Opens again the files that a kill -9 leaves. */
  killed(options: Partial<NativeOptions> = {}, turns?: LoopTurns): Promise<StoreUnderTest> {
    return StoreUnderTest.open(options, this.fileSystem.killed(), undefined, turns)
  }

  put(rows: readonly string[], options: PutOptions = {}): Promise<readonly MutationFailure[]> {
    return this.putAs(OWN_CALL, rows, options)
  }

  putAs(
    call: Call,
    rows: readonly string[],
    { family = 'f', value = 'v', durability = 'USE_DEFAULT', ttlMs = 0 }: PutOptions = {},
  ): Promise<readonly MutationFailure[]> {
    const batch = new MutationBatch()
    for (const row of rows) {
      batch.put(Buffer.from(row), Buffer.from(family), Buffer.from('q'), Buffer.from(value))
      batch.endMutation(ttlMs > 0 ? { durability, ttlMs } : { durability })
    }
    return this.store.rows.mutate(TABLE, batch, call)
  }

  createTable(table: TableDescriptor, splitKeys: readonly string[] = []): Promise<void> {
    const keys = splitKeys.map((key) => Buffer.from(key))
    return this.store.catalog.createTable(table, keys, OWN_CALL)
  }

  flush(): Promise<void> {
    return this.store.upkeep.flushes!.flushTable(TABLE, OWN_CALL)
  }

  scanner(options: Partial<Scan> = {}): Promise<Scanner> {
    return openScanner(this.store, TABLE, scan(options), OWN_CALL)
  }

  async rows(options: Partial<Scan> = {}): Promise<string[]> {
    const scanner = await this.scanner(options)
    const rows = await rest(scanner)
    await scanner.close()
    return rows
  }

  async rowsOf(table: TableName): Promise<string[]> {
    const scanner = await openScanner(this.store, table, scan({}), OWN_CALL)
    const rows = await rest(scanner)
    await scanner.close()
    return rows
  }

  paths(under: string): string[] {
    return this.fileSystem.paths().filter((path) => path.startsWith(under))
  }
}

/** Names of `count` rows, in order. */
export function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `r${String(index).padStart(6, '0')}`)
}

/** The rows that a scanner still has, with the values of their cells. */
export async function rest(scanner: Scanner, rowsAtOnce = 1000): Promise<string[]> {
  const found: string[] = []
  for (let isOver = false; !isOver; ) {
    const limits = { rows: rowsAtOnce, bytes: 1 << 24, allowPartial: false }
    const { results, ended } = await scanner.next(limits, OWN_CALL)
    for (const { row, value } of cellsOf(gathered(results).cells))
      found.push(`${row.toString()}=${value.toString()}`)
    isOver = ended === 'scan'
  }
  return found
}
