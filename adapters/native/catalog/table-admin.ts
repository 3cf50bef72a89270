/** Changes namespaces and tables, one at a time. Refusals have the words of HBase's master. */

import { EMPTY } from '../../../src/model/bytes.ts'
import type { NamespaceDescriptor, TableDescriptor } from '../../../src/model/descriptor.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { eachInTurns, manyATurn, mapInTurns } from '../../../src/model/many-a-turn.ts'
import { checkNamespaceLimits } from '../../../src/model/namespace-limits.ts'
import { replication } from '../../../src/model/region-replication.ts'
import { eachInSteps, mapEachInSteps, type Steps } from '../../../src/model/steps.ts'
import {
  checkModifiedTable,
  checkNamespaceIsEmpty,
  checkNamespaceIsNotReserved,
  checkNewTable,
  checkSplitKeys,
  namespaceExists,
  namespaceNotFound,
  tableExists,
  tableNotFound,
} from '../../../src/model/table-checks.ts'
import {
  checkNamespaceName,
  namespaceOf,
  parseTableName,
  type TableName,
} from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { CatalogEvent } from '../../../src/store/catalog.ts'
import { changedDescriptor, type TableChange } from '../../../src/store/table-alteration.ts'
import type { Engine } from '../engine/engine.ts'
import { AVAILABLE_CODECS } from '../hfile/compression.ts'
import { attributeList, descriptorOfRecord, familyRecords } from '../manifest/catalog.ts'
import type { CatalogLog } from '../manifest/catalog-log.ts'
import type { RegionRecord, TableRecord } from '../manifest/manifest-edit.ts'
import type { Region } from '../region/region.ts'
import type { TableRegions } from '../tables/table-regions.ts'

export class TableAdmin {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  createNamespace(namespace: NamespaceDescriptor, call: Call): Promise<void> {
    const { name, properties } = namespace
    return this.#change(call, [{ kind: 'namespace', namespace: name }], async () => {
      checkNamespaceName(name)
      if (this.#catalog.namespaces.has(name)) throw namespaceExists(name)
      checkNamespaceLimits(namespace)
      await this.#commitNamespace(name, properties)
    })
  }

  modifyNamespace(namespace: NamespaceDescriptor, call: Call): Promise<void> {
    const { name, properties } = namespace
    return this.#change(call, [{ kind: 'namespace', namespace: name }], async () => {
      if (!this.#catalog.namespaces.has(name)) throw namespaceNotFound(name)
      checkNamespaceLimits(namespace)
      await this.#commitNamespace(name, properties)
    })
  }

  #commitNamespace(name: string, properties: NamespaceDescriptor['properties']): Promise<void> {
    return this.#engine.catalogLog.commit({ kind: 'namespace', name, properties: attributeList(properties) })
  }

  deleteNamespace(name: string, call: Call): Promise<void> {
    return this.#change(call, [{ kind: 'namespace', namespace: name }], async () => {
      if (!this.#catalog.namespaces.has(name)) throw namespaceNotFound(name)
      checkNamespaceIsNotReserved(name)
      checkNamespaceIsEmpty(name, this.#catalog.tablesOfNamespace(name))
      await this.#engine.catalogLog.commit({ kind: 'namespace-gone', name })
    })
  }

  createTable(table: TableDescriptor, splitKeys: readonly Buffer[], call: Call): Promise<void> {
    return this.#change(call, newRegionsEvents(table.name), async () => {
      const namespace = namespaceOf(table.name)
      if (!this.#catalog.namespaces.has(namespace)) throw namespaceNotFound(namespace)
      if (this.#catalog.tables.has(table.name)) throw tableExists(table.name)
      checkNewTable(table, AVAILABLE_CODECS)
      const startKeys = [EMPTY, ...(await manyATurn(checkSplitKeys(splitKeys)))]
      const record: TableRecord = {
        name: table.name,
        attributes: attributeList(table.attributes),
        state: 'ENABLED',
        families: familyRecords(table, [], this.#engine.mvcc.lastSequenceId),
        regions: await this.#newRegions(startKeys),
      }
      await this.#engine.catalogLog.commit({ kind: 'table', table: record })
      await this.#engine.tables.open(record)
    })
  }

  #newRegions(startKeys: readonly Buffer[]): Promise<RegionRecord[]> {
    const { catalogLog, clock } = this.#engine
    const regionId = clock.now()
    return mapInTurns(startKeys, (startKey, index) => ({
      number: catalogLog.takeNumber(),
      regionId,
      startKey: Buffer.from(startKey),
      endKey: Buffer.from(startKeys[index + 1] ?? EMPTY),
      flushedSequenceId: 0,
      files: [],
    }))
  }

  modifyTable(change: TableChange, call: Call): Promise<void> {
    return this.#changeTable(change.name, call, tableEvents(change.name), async (flush) => {
      const present = this.#engine.tables.get(change.name)
      const table = changedDescriptor(change, present.descriptor)
      checkModifiedTable(present.descriptor, table, AVAILABLE_CODECS)
      // HBase's regions close and open again: ReopenTableRegionsProcedure.
      await this.#flushOpen(present, flush)
      const before = this.#record(table.name)
      const families = familyRecords(table, before.families, this.#engine.mvcc.lastSequenceId)
      const isKept = (name: Buffer): boolean => families.some((family) => family.name.equals(name))
      const copies = replication(table)
      const regions = await mapInTurns(before.regions, (region) => ({
        ...region,
        ...(region.closedCopies && { closedCopies: region.closedCopies.filter((number) => number < copies) }),
        files: region.files.filter((file) => isKept(file.family)),
      }))
      const attributes = attributeList(table.attributes)
      const record: TableRecord = { ...before, attributes, families, regions }
      await this.#engine.catalogLog.commit({ kind: 'table', table: record })
      const descriptor = descriptorOfRecord(record)
      present.descriptor = descriptor
      this.#engine.tables.changed(descriptor.name)
      const changed = (region: Region, index: number): Steps<void> => {
        region.setClosed(
          region.closed.isClosed,
          region.closed.copies.filter((number) => number < copies),
        )
        return this.#changeRegion(region, record, before.regions[index]!)
      }
      await manyATurn(mapEachInSteps(present.regions, changed))
    })
  }

  /** Gives a region the table's new families. Those that it has no more may have very many files. */
  *#changeRegion(region: Region, { families }: TableRecord, before: RegionRecord): Steps<void> {
    const { limits, storeFiles, tables } = this.#engine
    const table = parseTableName(region.table.name)
    const bytesBefore = region.memstoreBytes
    const gone = region.setTable(tables.get(table).descriptor, families)
    limits.dropped(bytesBefore - region.memstoreBytes)
    for (const store of gone) yield* store.releaseInSteps()
    const pathOf = storeFiles.pathsIn(table, before)
    yield* eachInSteps(before.files, (file) => {
      if (gone.some(({ descriptor }) => descriptor.name.equals(file.family))) storeFiles.remove(pathOf(file))
    })
  }

  deleteTable(name: TableName, call: Call): Promise<void> {
    return this.#changeTable(name, call, tableEvents(name), async () => {
      if (this.#engine.tables.get(name).isEnabled) {
        throw new HBaseError('TABLE_NOT_DISABLED', `Not DISABLED; tableName=${name}, state=ENABLED`)
      }
      const before = this.#record(name)
      await this.#engine.catalogLog.commit({ kind: 'table-gone', name })
      await this.#drop(before)
    })
  }

  /** Gives the table new regions, with the same bounds or none. */
  truncateTable(name: TableName, preserveSplits: boolean, call: Call): Promise<void> {
    const events = newRegionsEvents(name)
    return this.#changeTable(name, call, events, async () => {
      if (this.#engine.tables.get(name).isEnabled) throw new HBaseError('TABLE_NOT_DISABLED', name)
      const before = this.#record(name)
      const startKeys = preserveSplits ? before.regions.map((region) => region.startKey) : [EMPTY]
      const record: TableRecord = { ...before, state: 'ENABLED', regions: await this.#newRegions(startKeys) }
      await this.#engine.catalogLog.commit({ kind: 'table', table: record })
      await this.#drop(before, record)
    })
  }

  /** `later`: the table in its place, which has no files yet. */
  async #drop(record: TableRecord, later?: TableRecord): Promise<void> {
    const { limits, tables, storeFiles, flusher } = this.#engine
    limits.dropped(await tables.replace(parseTableName(record.name), later && (await tables.opened(later))))
    await flusher.trimLogs()
    await storeFiles.removeTable(record)
    // Where the disk had no room for the first attempt: perhaps no flush comes that would try again.
    await flusher.trimLogs()
  }

  enableTable(name: TableName, call: Call): Promise<void> {
    return this.#changeTable(name, call, tableEvents(name), async () => {
      const table = this.#engine.tables.get(name)
      if (table.isEnabled) throw new HBaseError('TABLE_NOT_DISABLED', `tableName=${name}, state=ENABLED`)
      const { regions, ...before } = this.#record(name)
      const opened = await mapInTurns(regions, (region) => ({ ...region, isClosed: false, closedCopies: [] }))
      await this.#engine.catalogLog.commit({
        kind: 'table',
        table: { ...before, state: 'ENABLED', regions: opened },
      })
      await eachInTurns(table.regions, (region) => region.opened())
      table.isEnabled = true
      this.#engine.tables.changed(name)
    })
  }

  disableTable(name: TableName, call: Call): Promise<void> {
    return this.#changeTable(name, call, tableEvents(name), async (flush) => {
      const table = this.#engine.tables.get(name)
      if (!table.isEnabled) throw new HBaseError('TABLE_NOT_ENABLED', name)
      await this.#flushOpen(table, flush)
      const disabled: TableRecord = { ...this.#record(name), state: 'DISABLED' }
      await this.#engine.catalogLog.commit({ kind: 'table', table: disabled })
      table.isEnabled = false
      this.#engine.tables.changed(name)
    })
  }

  /**
   * Flushes the open regions of an enabled table, as HBase's regions flush when they close: what the families' rules drop is gone from then on.
   * A table can be disabled and dropped on a full disk too: the cells of a flush that fails stay in memory and in the log. HBase: HRegion.close.
   */
  async #flushOpen(
    { isEnabled, regions, descriptor }: TableRegions,
    flush: (regions: readonly Region[]) => Promise<void>,
  ): Promise<void> {
    if (!isEnabled) return
    try {
      await flush(regions.filter(({ closed }) => !closed.isClosed))
    } catch (error) {
      if (!isHBaseError(error)) throw error
      this.#engine.log('warn', `the flush of table ${descriptor.name}, whose regions close, failed`, {
        error,
      })
    }
  }

  /** Changes a table while no flush runs but its own: the edit replaces all that the manifest records of the table. */
  #changeTable(
    name: TableName,
    call: Call,
    events: readonly CatalogEvent[],
    change: (flush: (regions: readonly Region[]) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    return this.#change(call, events, async () => {
      this.#engine.tables.get(name)
      await this.#engine.flusher.exclusively(change)
    })
  }

  #change(call: Call, events: readonly CatalogEvent[], change: () => Promise<void>): Promise<void> {
    return this.#engine.changes.run(call, events, change)
  }

  get #catalog(): CatalogLog['catalog'] {
    return this.#engine.catalogLog.catalog
  }

  #record(name: TableName): TableRecord {
    const record = this.#catalog.tables.get(name)
    if (record === undefined) throw tableNotFound(name)
    return record
  }
}

function tableEvents(table: TableName): CatalogEvent[] {
  return [{ kind: 'table', table }]
}

function newRegionsEvents(table: TableName): CatalogEvent[] {
  return [
    { kind: 'table', table },
    { kind: 'regions', table },
  ]
}
