/**
 * Snapshots: links to a table's store files in a directory of their own, which compactions and deletions do not touch. An
 * edit of the manifest makes or removes one. Refusals have the words of HBase's master.
 */

import { compareText } from '../../../src/model/compare-text.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { manyATurn } from '../../../src/model/many-a-turn.ts'
import { regionName } from '../../../src/model/region-name.ts'
import { mapEachInSteps, type Steps } from '../../../src/model/steps.ts'
import { checkTable, namespaceNotFound, tableExists } from '../../../src/model/table-checks.ts'
import {
  checkSnapshotName,
  isSystemTable,
  namespaceOf,
  parseTableName,
  type TableName,
} from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { CatalogEvent } from '../../../src/store/catalog.ts'
import type {
  RestoreOptions,
  SnapshotDescription,
  SnapshotOptions,
  SnapshotSize,
  Snapshots,
  SnapshotType,
} from '../../../src/store/snapshots.ts'
import type { Engine } from '../engine/engine.ts'
import { AVAILABLE_CODECS } from '../hfile/compression.ts'
import { snapshotDirectory } from '../layout/snapshot-directory.ts'
import { descriptorOfRecord } from '../manifest/catalog.ts'
import type { FileRecord, RegionRecord, SnapshotRecord, TableRecord } from '../manifest/manifest-edit.ts'
import type { Link } from '../platform/file-links.ts'
import type { TableRegions } from '../tables/table-regions.ts'
import { ExpiredSnapshots, snapshotRefusal } from './expired-snapshots.ts'
import { filesOfSnapshot, linkedInSteps } from './linked-files.ts'
import {
  checkRestored,
  describeSnapshot,
  givenTo,
  keptPermissions,
  withFileTracker,
  withMaxFileBytes,
} from './snapshot-description.ts'
import { SnapshotSizes } from './snapshot-sizes.ts'

export class NativeSnapshots implements Snapshots {
  readonly #engine: Engine
  /** The removal of expired snapshots that the clock asked for. */
  #removal: Promise<void> | undefined
  readonly #expired: ExpiredSnapshots
  readonly #sizes: SnapshotSizes

  constructor(engine: Engine) {
    this.#engine = engine
    this.#expired = new ExpiredSnapshots(engine)
    this.#sizes = new SnapshotSizes(engine)
  }

  async listSnapshots(call: Call): Promise<SnapshotDescription[]> {
    return this.#engine.changes.run(call, [], async () => {
      const snapshots = [...this.#engine.catalogLog.catalog.snapshots.values()]
      return snapshots.sort((a, b) => compareText(a.name, b.name)).map(describeSnapshot)
    })
  }

  /** Within a change of the catalog, so that no snapshot goes meanwhile. */
  async snapshotSizes(call: Call): Promise<SnapshotSize[]> {
    return this.#engine.changes.run(call, [], () => this.#sizes.all())
  }

  async createSnapshot(
    name: string,
    table: TableName,
    type: SnapshotType,
    call: Call,
    options: SnapshotOptions = {},
  ): Promise<void> {
    checkSnapshotName(name)
    if (isSystemTable(table)) {
      throw new HBaseError('ILLEGAL_ARGUMENT', 'System table snapshots are not allowed')
    }
    await this.#engine.changes.run(call, [], async () => {
      const { catalogLog, tables } = this.#engine
      if (catalogLog.catalog.snapshots.has(name)) {
        throw snapshotRefusal(
          'SnapshotExistsException',
          `Snapshot '${name}' already stored on the filesystem.`,
        )
      }
      const present = tables.find(table)
      if (present === undefined) {
        throw snapshotRefusal(
          'SnapshotCreationException',
          `Table '${table}' doesn't exist, can't take snapshot.`,
        )
      }
      // HBase flushes a table when it is disabled.
      const isFlushed = type === 'FLUSH' || !present.isEnabled
      await this.#take(name, table, type, isFlushed, options)
    })
  }

  async #take(
    name: string,
    table: TableName,
    type: SnapshotType,
    isFlushed: boolean,
    { timeToLiveSeconds = 0n, maxFileBytes = 0n, owner, permissions }: SnapshotOptions,
  ): Promise<void> {
    const { catalogLog, flusher, storeFiles, tables, clock } = this.#engine
    if (isFlushed) await flusher.flushAll(tables.get(table).regions)
    await flusher.exclusively(async (flush) => {
      // Few cells have been written since the first flush.
      if (isFlushed) await flush(tables.get(table).regions)
      const record = catalogLog.catalog.tables.get(table)!
      const number = catalogLog.takeNumber()
      const links = storeFiles.newLinks()
      await links.committed(catalogLog, async () => {
        const added: Link[] = []
        const toOf = filesOfSnapshot(storeFiles.directory, number)
        const taken = function* (region: RegionRecord): Steps<RegionRecord> {
          const { encodedName } = regionName(table, region.startKey, region.regionId)
          const linkedOf = (file: FileRecord): FileRecord => {
            return { ...file, owner: file.owner ?? encodedName, number: catalogLog.takeNumber() }
          }
          const ends = { fromOf: storeFiles.pathsIn(table, region), toOf }
          const files = yield* linkedInSteps(region.files, linkedOf, ends, added)
          return { ...region, isClosed: false, closedCopies: [], files }
        }
        const regions = await manyATurn(mapEachInSteps(record.regions, taken))
        await links.addAll(added)
        await links.sync()
        const snapshot: SnapshotRecord = {
          name,
          number,
          table: {
            ...record,
            attributes: withMaxFileBytes(record.attributes, maxFileBytes),
            state: 'ENABLED',
            regions,
          },
          type,
          createdAt: clock.now(),
          ...givenTo(timeToLiveSeconds, maxFileBytes),
          ...(owner !== undefined && { owner }),
          ...keptPermissions(permissions),
        }
        await catalogLog.commit({ kind: 'snapshot', snapshot })
      })
    })
  }

  deleteSnapshot(name: string, call: Call): Promise<void> {
    return this.#engine.changes.run(call, [], () => this.#remove(this.#get(name)))
  }

  async #remove({ name, number }: SnapshotRecord): Promise<void> {
    const { catalogLog, storeFiles } = this.#engine
    await catalogLog.commit({ kind: 'snapshot-gone', name })
    storeFiles.remove(snapshotDirectory(storeFiles.directory, number))
  }

  async restoreSnapshot(name: string, call: Call, options?: RestoreOptions): Promise<void> {
    const known = this.#engine.catalogLog.catalog.snapshots.get(name)
    const table = known && parseTableName(known.table.name)
    await this.#engine.changes.run(call, newRegions(table), async () => {
      const { catalogLog, tables, limits, flusher, storeFiles } = this.#engine
      const snapshot = catalogLog.catalog.snapshots.get(name)
      this.#expired.check(name)
      if (snapshot === undefined || table === undefined) {
        throw snapshotRefusal(
          'RestoreSnapshotException',
          `Unable to find the table name for snapshot=${name}`,
        )
      }
      checkRestored(snapshot, options)
      const present = tables.find(table)
      if (present === undefined) return this.#create(snapshot, table)
      if (present.isEnabled) throw new HBaseError('TABLE_NOT_DISABLED', table)
      await flusher.exclusively(async () => {
        const before = catalogLog.catalog.tables.get(table)!
        const restored = await this.#commitTable(snapshot, table, 'DISABLED')
        limits.dropped(await tables.replace(table, restored))
        await flusher.trimLogs()
        await storeFiles.removeTable(before)
      })
    })
  }

  async cloneSnapshot(name: string, table: TableName, call: Call, options?: RestoreOptions): Promise<void> {
    await this.#engine.changes.run(call, newRegions(table), async () => {
      const { catalogLog, tables } = this.#engine
      if (tables.find(table) !== undefined) throw tableExists(table)
      this.#expired.check(name)
      const snapshot = this.#get(name)
      checkRestored(snapshot, options)
      const namespace = namespaceOf(table)
      if (!catalogLog.catalog.namespaces.has(namespace)) throw namespaceNotFound(namespace)
      await this.#create(withFileTracker(snapshot, options?.fileTracker), table)
    })
  }

  /** Throws DO_NOT_RETRY also where the snapshot's greatest size of a store file is less than a table may have. */
  async #create(snapshot: SnapshotRecord, table: TableName): Promise<void> {
    const { flusher, tables } = this.#engine
    checkTable(descriptorOfRecord(snapshot.table), AVAILABLE_CODECS)
    await flusher.exclusively(async () => {
      await tables.add(await this.#commitTable(snapshot, table, 'ENABLED'))
    })
  }

  /** Opens and records a table that is as the snapshot's was, with links to its files; the regions have the ids that they had. */
  async #commitTable(
    { table: taken, number }: SnapshotRecord,
    table: TableName,
    state: TableRecord['state'],
  ): Promise<TableRegions> {
    const { catalogLog, storeFiles, tables, mvcc } = this.#engine
    const links = storeFiles.newLinks()
    return links.committed(catalogLog, async () => {
      const added: Link[] = []
      const flushedSequenceId = mvcc.lastSequenceId
      const fromOf = filesOfSnapshot(storeFiles.directory, number)
      const made = function* (region: RegionRecord): Steps<RegionRecord> {
        const linkedOf = (file: FileRecord): FileRecord => ({ ...file, number: catalogLog.takeNumber() })
        const ends = { fromOf, toOf: storeFiles.pathsIn(table, region) }
        const files = yield* linkedInSteps(region.files, linkedOf, ends, added)
        return { ...region, number: catalogLog.takeNumber(), flushedSequenceId, files }
      }
      const regions = await manyATurn(mapEachInSteps(taken.regions, made))
      await links.addAll(added)
      await links.sync()
      const record: TableRecord = { ...taken, name: table, state, regions }
      return tables.prepare(record, async () => {
        await catalogLog.commit({ kind: 'table', table: record, unloggedIn: table })
        this.#engine.cameUnlogged(descriptorOfRecord(record))
      })
    })
  }

  /** Throws DO_NOT_RETRY where there is no such snapshot. */
  #get(name: string): SnapshotRecord {
    const snapshot = this.#engine.catalogLog.catalog.snapshots.get(name)
    if (snapshot !== undefined) return snapshot
    throw snapshotRefusal(
      'SnapshotDoesNotExistException',
      `Snapshot '${name}' doesn't exist on the filesystem`,
    )
  }

  /** Within a change of the catalog. HBase: SnapshotCleanerChore. */
  async #removeExpired(): Promise<void> {
    for (const snapshot of this.#expired.present()) {
      const { name } = snapshot
      await this.#remove(snapshot)
      this.#expired.note(name)
      this.#engine.log('info', `snapshot ${name} has gone: its time to live is over`, { snapshot: name })
    }
  }

  /** Begins to remove expired snapshots where it is time for it, for the engine's clock. */
  expire(): void {
    const { changes, log } = this.#engine
    if (this.#removal !== undefined || !this.#expired.isDue() || this.#expired.present().length === 0) return
    this.#removal = changes
      .runOwn([], () => this.#removeExpired())
      .catch((error: unknown) => log('error', 'expired snapshots could not be removed', { error }))
      .finally(() => {
        this.#removal = undefined
      })
  }

  /** Resolves once no removal that `expire` began is under way. */
  async settled(): Promise<void> {
    await this.#removal
  }
}

function newRegions(table: TableName | undefined): CatalogEvent[] {
  return table === undefined ? [] : (['table', 'regions'] as const).map((kind) => ({ kind, table }))
}
