/** A store whose cells are all in store files, for tools that work on these: no log has any cells, no server runs. */

import { HBaseError } from '../../../src/model/errors.ts'
import { namespaceOf, type TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { CatalogLog } from '../manifest/catalog-log.ts'
import type { TableRecord } from '../manifest/manifest-edit.ts'
import { openNativeStore } from '../open-native-store.ts'
import type { Clock, FileSystem, OpenFile, RandomSource } from '../platform/file-system.ts'
import type { NativeLog } from '../platform/native-log.ts'
import type { NewTable } from './new-table.ts'

export interface TransferParts {
  readonly fileSystem: FileSystem
  /** The store's. */
  readonly directory: string
  readonly clock: Clock
  readonly random: RandomSource
  readonly log: NativeLog
  /** Called now and then, and after each file. */
  readonly worked?: ((work: TransferWork) => void) | undefined
}

/** How far a transfer of HFiles is. */
export interface TransferWork {
  readonly cells: number
  /** Written. */
  readonly files: number
  /** From 0 to 1. */
  readonly fraction: number
}

/** Runs a task on the catalog under the folder's lock. Throws UNAVAILABLE while a server has it, and what a start throws. */
export async function withSettledStore<T>(
  parts: TransferParts,
  create: { table: TableName; make: () => NewTable } | undefined,
  task: (catalogLog: CatalogLog) => Promise<T>,
): Promise<T> {
  const { fileSystem, directory, random, log } = parts
  const unlock = await fileSystem.lock(directory)
  try {
    await flushAll(parts, create)
    const catalogLog = new CatalogLog(fileSystem, directory, log)
    await catalogLog.open(random)
    try {
      if ((catalogLog.catalog.logs ?? []).length > 0)
        throw new HBaseError('IO', 'cells of the log could not be flushed: the log above says why')
      return await task(catalogLog)
    } finally {
      await catalogLog.close()
    }
  } finally {
    unlock()
  }
}

/** A clean stop leaves nothing in the log. */
async function flushAll(
  { fileSystem, directory, clock, random, log }: TransferParts,
  create: { table: TableName; make: () => NewTable } | undefined,
): Promise<void> {
  const held = new HeldFileSystem(fileSystem)
  const store = await openNativeStore({ directory, fileSystem: held, clock, random, log })
  try {
    if (create === undefined) return
    if (await store.catalog.tableExists(create.table, OWN_CALL)) return
    const { descriptor, splitKeys } = create.make()
    await makeNamespace(store, namespaceOf(create.table))
    await store.catalog.createTable(descriptor, splitKeys, OWN_CALL)
  } finally {
    await store.close()
  }
}

async function makeNamespace(store: Store, name: string): Promise<void> {
  const namespaces = await store.catalog.listNamespaces(OWN_CALL)
  if (namespaces.some((known) => known.name === name)) return
  await store.catalog.createNamespace({ name, properties: new Map() }, OWN_CALL)
}

/** The file system for an engine in a folder that the tool has locked already. */
class HeldFileSystem implements FileSystem {
  readonly #fileSystem: FileSystem

  constructor(fileSystem: FileSystem) {
    this.#fileSystem = fileSystem
  }

  open(path: string, mode: 'read' | 'append' | 'create'): OpenFile {
    return this.#fileSystem.open(path, mode)
  }

  list(directory: string): string[] {
    return this.#fileSystem.list(directory)
  }

  realPath(path: string): string {
    return this.#fileSystem.realPath(path)
  }

  exists(path: string): boolean {
    return this.#fileSystem.exists(path)
  }

  makeDirectory(path: string): void {
    this.#fileSystem.makeDirectory(path)
  }

  rename(from: string, to: string): void {
    this.#fileSystem.rename(from, to)
  }

  remove(path: string): void {
    this.#fileSystem.remove(path)
  }

  removeLarge(path: string): Promise<void> {
    return this.#fileSystem.removeLarge(path)
  }

  readAside(path: string, offset: number, length: number): Promise<Buffer> {
    return this.#fileSystem.readAside(path, offset, length)
  }

  link(from: string, to: string): boolean {
    return this.#fileSystem.link(from, to)
  }

  linkCount(path: string): number {
    return this.#fileSystem.linkCount(path)
  }

  freeBytes(directory: string): number {
    return this.#fileSystem.freeBytes(directory)
  }

  diskBytes(directory: string): number {
    return this.#fileSystem.diskBytes(directory)
  }

  fileId(path: string): string | undefined {
    return this.#fileSystem.fileId(path)
  }

  stamp(path: string): string {
    return this.#fileSystem.stamp(path)
  }

  removeIfEmpty(path: string): boolean {
    return this.#fileSystem.removeIfEmpty(path)
  }

  syncDirectory(path: string): Promise<void> {
    return this.#fileSystem.syncDirectory(path)
  }

  async lock(): Promise<() => void> {
    return () => undefined
  }

  lockLoss(directory: string): string | undefined {
    return this.#fileSystem.lockLoss(directory)
  }
}

/** Throws TABLE_NOT_FOUND. */
export function recordOf({ catalog }: CatalogLog, table: TableName, advice: string): TableRecord {
  const record = catalog.tables.get(table)
  if (record === undefined) throw new HBaseError('TABLE_NOT_FOUND', `there is no table ${table}${advice}`)
  return record
}
