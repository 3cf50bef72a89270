/** The steps of an explored history: what each does to a store, and what it makes of the model once it is answered. */

import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { type Durability, MutationBatch } from '../../../src/model/mutation.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Model, ModelRows } from './explored-model.ts'

export interface ExploredStep {
  readonly name: string
  /** Whether a power loss must leave it, and all before it, once it is answered. */
  readonly isDurable: boolean
  run(store: Store): Promise<unknown>
  apply(model: Model): Model
}

const name = parseTableName
const bytes = (text: string): Buffer => Buffer.from(text)
const same = (model: Model): Model => model

/** A step of the catalog: it comes after a durable one, so that nothing that it leaves behind can be lost. */
function step(
  label: string,
  run: ExploredStep['run'],
  apply: ExploredStep['apply'] = same,
  isDurable = true,
): ExploredStep {
  return { name: label, isDurable, run, apply }
}

function withRows(model: Model, table: string, change: (rows: ModelRows) => ModelRows): Model {
  const rows = model.tables[table]
  if (rows === undefined || model.disabled.includes(table)) return model
  return { ...model, tables: { ...model.tables, [table]: change(rows) } }
}

function without<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).filter(([known]) => known !== key))
}

export function put(
  row: string,
  value: string,
  durability: Durability = 'SYNC_WAL',
  family = 'f',
  table = 't',
): ExploredStep {
  const run = async (store: Store): Promise<void> => {
    const batch = new MutationBatch().put(bytes(row), bytes(family), bytes('q'), bytes(value))
    batch.endMutation({ durability })
    await mutate(store, table, batch)
  }
  const apply = (model: Model): Model =>
    withRows(model, table, (rows) =>
      model.families[table]!.includes(family) ? { ...rows, [`${row}/${family}`]: value } : rows,
    )
  return step(`put ${row} ${durability}`, run, apply, durability === 'FSYNC_WAL')
}

export function remove(row: string, durability: Durability = 'SYNC_WAL', table = 't'): ExploredStep {
  const run = async (store: Store): Promise<void> => {
    const batch = new MutationBatch().deleteRow(bytes(row))
    batch.endMutation({ durability })
    await mutate(store, table, batch)
  }
  const apply = (model: Model): Model =>
    withRows(model, table, (rows) =>
      Object.fromEntries(Object.entries(rows).filter(([at]) => !at.startsWith(`${row}/`))),
    )
  return step(`delete ${row}`, run, apply, durability === 'FSYNC_WAL')
}

async function mutate(store: Store, table: string, batch: MutationBatch): Promise<void> {
  const failures = await store.rows.mutate(name(table), batch, OWN_CALL)
  if (failures.length > 0) throw failures[0]!.error
}

function descriptorOf(
  table: string,
  families: readonly string[],
  scope = '0',
): ReturnType<typeof tableDescriptor> {
  return tableDescriptor(
    name(table),
    families.map((family) => familyDescriptor(family, [['REPLICATION_SCOPE', scope]])),
  )
}

export function create(
  table: string,
  families: readonly string[],
  splits: readonly string[] = [],
  scope = '0',
): ExploredStep {
  return step(
    `create ${table}`,
    ({ catalog }) => catalog.createTable(descriptorOf(table, families, scope), splits.map(bytes), OWN_CALL),
    (model) => ({
      ...model,
      tables: { ...model.tables, [table]: {} },
      families: { ...model.families, [table]: families },
    }),
  )
}

export function alter(table: string, families: readonly string[]): ExploredStep {
  const apply = (model: Model): Model => {
    if (model.tables[table] === undefined) return model
    const kept = withRows(model, table, (rows) =>
      Object.fromEntries(Object.entries(rows).filter(([at]) => families.includes(at.split('/')[1]!))),
    )
    return { ...kept, families: { ...model.families, [table]: families } }
  }
  return step(
    `alter ${table} ${families.join()}`,
    ({ catalog }) => catalog.modifyTable(descriptorOf(table, families), OWN_CALL),
    apply,
  )
}

export function disable(table: string): ExploredStep {
  const apply = (model: Model): Model =>
    model.tables[table] === undefined ? model : { ...model, disabled: [...model.disabled, table] }
  return step(`disable ${table}`, ({ catalog }) => catalog.disableTable(name(table), OWN_CALL), apply)
}

export function enable(table: string): ExploredStep {
  const apply = (model: Model): Model => ({
    ...model,
    disabled: model.disabled.filter((known) => known !== table),
  })
  return step(`enable ${table}`, ({ catalog }) => catalog.enableTable(name(table), OWN_CALL), apply)
}

export function drop(table: string): ExploredStep {
  const apply = (model: Model): Model => ({
    ...model,
    tables: without(model.tables, table),
    families: without(model.families, table),
    disabled: model.disabled.filter((known) => known !== table),
  })
  return step(`drop ${table}`, ({ catalog }) => catalog.deleteTable(name(table), OWN_CALL), apply)
}

export function truncate(table: string): ExploredStep {
  const apply = (model: Model): Model => {
    const enabled = { ...model, disabled: model.disabled.filter((known) => known !== table) }
    return withRows(enabled, table, () => ({}))
  }
  return step(`truncate ${table}`, ({ catalog }) => catalog.truncateTable(name(table), true, OWN_CALL), apply)
}

export function flush(table: string): ExploredStep {
  return step(`flush ${table}`, ({ upkeep }) => upkeep.flushes!.flushTable(name(table), OWN_CALL))
}

export function compact(table: string): ExploredStep {
  const run = async ({ upkeep }: Store): Promise<void> => {
    const { compactions } = upkeep
    await compactions!.compactTable(name(table), { major: true }, OWN_CALL)
    while ((await compactions!.compactionState(name(table), OWN_CALL)) !== 'NONE') await nextTurn()
  }
  return step(`compact ${table}`, run, same, false)
}

export function split(table: string, row: string): ExploredStep {
  return step(`split ${table}`, ({ upkeep }) => upkeep.regions!.splitTable(name(table), bytes(row), OWN_CALL))
}

export function merge(table: string): ExploredStep {
  const run = async ({ catalog, upkeep }: Store): Promise<void> => {
    const regions = await catalog.regions(name(table), OWN_CALL)
    const names = regions.slice(0, 2).map((region) => region.name)
    await upkeep.regions!.mergeRegions(names, false, OWN_CALL)
  }
  return step(`merge ${table}`, run)
}

/** Of the first region, which ends before `end`. */
export function truncateRegion(table: string, end: string): ExploredStep {
  const run = async ({ catalog, upkeep }: Store): Promise<void> => {
    const [region] = await catalog.regions(name(table), OWN_CALL)
    await upkeep.regions!.truncateRegion(region!.name, OWN_CALL)
  }
  const apply = (model: Model): Model =>
    withRows(model, table, (rows) => Object.fromEntries(Object.entries(rows).filter(([at]) => at >= end)))
  return step(`truncate a region of ${table}`, run, apply)
}

export function snapshot(taken: string, table: string): ExploredStep {
  const apply = (model: Model): Model => {
    const rows = model.tables[table]
    if (rows === undefined) return model
    const kept = { tables: { [table]: rows }, families: { [table]: model.families[table]! } }
    return { ...model, snapshots: { ...model.snapshots, [taken]: kept } }
  }
  return step(
    `snapshot ${taken}`,
    ({ upkeep }) => upkeep.snapshots!.createSnapshot(taken, name(table), 'FLUSH', OWN_CALL),
    apply,
  )
}

export function deleteSnapshot(taken: string): ExploredStep {
  return step(
    `delete snapshot ${taken}`,
    ({ upkeep }) => upkeep.snapshots!.deleteSnapshot(taken, OWN_CALL),
    (model) => ({ ...model, snapshots: without(model.snapshots, taken) }),
  )
}

/** The table is another one for a clone, and the same, disabled, for a restore. */
export function restore(taken: string, table: string, kind: 'restore' | 'clone'): ExploredStep {
  const apply = (model: Model): Model => {
    const of = model.snapshots[taken]
    if (of === undefined) return model
    const [from] = Object.keys(of.tables) as [string]
    return {
      ...model,
      tables: { ...model.tables, [table]: of.tables[from]! },
      families: { ...model.families, [table]: of.families[from]! },
    }
  }
  const run = ({ upkeep }: Store): Promise<void> =>
    kind === 'clone'
      ? upkeep.snapshots!.cloneSnapshot(taken, name(table), OWN_CALL)
      : upkeep.snapshots!.restoreSnapshot(taken, OWN_CALL)
  return step(`${kind} ${taken}`, run, apply)
}

/** The file's rows come into the table's only region. */
export function bulkLoad(table: string, path: string, rows: ModelRows): ExploredStep {
  const run = async ({ catalog, upkeep }: Store): Promise<void> => {
    const [region] = await catalog.regions(name(table), OWN_CALL)
    const ref = { table: name(table), encodedName: region!.encodedName }
    await upkeep.bulkLoads!.bulkLoad(ref, [{ family: bytes('f'), path: `file:${path}` }], OWN_CALL)
  }
  return step(`bulk load into ${table}`, run, (model) =>
    withRows(model, table, (known) => ({ ...known, ...rows })),
  )
}

/** The id of the moment that a store keeps, and that of the follower of its log. */
const MOMENTS = new WeakMap<Store, string>()
const FOLLOWERS = new WeakMap<Store, string>()
const KEPT_BYTES = 1 << 20

/** Keeps a moment: the files stay until endBackup, or the end of the store. */
export function beginBackup(): ExploredStep {
  return step('begin a backup', async (store) => {
    MOMENTS.set(store, (await store.upkeep.backups!.beginBackup(OWN_CALL)).id)
  })
}

export function endBackup(): ExploredStep {
  return step('end the backup', (store) =>
    store.upkeep.backups!.endBackup(MOMENTS.get(store) ?? '', false, OWN_CALL),
  )
}

/** Logs that are flushed stay until readLog. */
export function followLog(): ExploredStep {
  return step('follow the log', async (store) => {
    FOLLOWERS.set(store, await store.upkeep.logStreams!.followLog(KEPT_BYTES, OWN_CALL))
  })
}

export function readLog(): ExploredStep {
  return step('read the log', async (store) => {
    const id = FOLLOWERS.get(store)
    if (id !== undefined) await store.upkeep.logStreams!.readLog(id, OWN_CALL)
  })
}

/** Logs stay from here on. */
export function holdLog(): ExploredStep {
  return step('hold the log', async (store) => {
    await store.upkeep.changes!.holdLog('reader', undefined, KEPT_BYTES, OWN_CALL)
  })
}

/** Reads from the hold's position on, and moves it. */
export function readChanges(): ExploredStep {
  return step('read changes', async (store) => {
    const changes = store.upkeep.changes!
    const [hold] = await changes.logHolds(OWN_CALL)
    if (hold === undefined || hold.loss !== undefined) return
    const { position } = await changes.readChanges(hold.position, { bytes: 300, waitMs: 0 }, OWN_CALL)
    await changes.holdLog('reader', position, KEPT_BYTES, OWN_CALL)
  })
}

export function releaseLog(): ExploredStep {
  return step('release the log', (store) => store.upkeep.changes!.releaseLog('reader', OWN_CALL))
}

/** An edit of the manifest that is so long that the manifest is rewritten after some of them. */
export function longEdit(bytesOfEdit: number): ExploredStep {
  const namespace = { name: 'long', properties: new Map([['p', 'x'.repeat(bytesOfEdit)]]) }
  const run = async ({ catalog }: Store): Promise<void> => {
    const known = await catalog.listNamespaces(OWN_CALL)
    if (known.some((found) => found.name === 'long')) await catalog.modifyNamespace(namespace, OWN_CALL)
    else await catalog.createNamespace(namespace, OWN_CALL)
  }
  return step('a long edit', run)
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
