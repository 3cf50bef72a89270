/**
 * Makes the namespaces and tables of a standby as the leader's are. A look takes the marks first: a table that changes during the look changes the version,
 * so that there is another look before any later change is applied.
 */

import { EMPTY } from '../model/bytes.ts'
import type { NamespaceDescriptor, TableDescriptor } from '../model/descriptor.ts'
import { isHBaseError } from '../model/errors.ts'
import { isSystemTable, SYSTEM_NAMESPACE, type TableName } from '../model/table-name.ts'
import { TimeRange } from '../model/time-range.ts'
import { type Call, OWN_CALL } from '../store/call.ts'
import type { TableMark } from '../store/changes.ts'
import type { Store } from '../store/store.ts'
import { plannedRanges } from '../transfer/copy-ranges.ts'
import { copyTable } from '../transfer/copy-table.ts'
import { TransferProgress } from '../transfer/progress.ts'
import { RateLimit } from '../transfer/rate-limit.ts'
import type { Part } from '../transfer/raw-cells.ts'
import type { Leader } from './leader-store.ts'
import { isSameTable } from './same-table.ts'
import type { RecordFile, TableNote } from './standby-record.ts'

export interface FollowedSchemaParts {
  /** The store of this server, before any policy. */
  readonly local: Store
  readonly file: RecordFile
  readonly now: () => number
  readonly pause: (ms: number) => Promise<void>
  /** Of copies, which the end of the following cuts. */
  readonly call: Call
  readonly log: (level: 'info' | 'warn', message: string) => void
}

/** HBase: TableDescriptorBuilder.READONLY. */
const READ_ONLY = 'READONLY'
const WHOLE_TABLE: Part = { startRow: EMPTY, stopRow: EMPTY, timeRange: TimeRange.ALL, columns: [] }

type Descriptors = ReadonlyMap<TableName, TableDescriptor>

export class FollowedSchema {
  readonly #parts: FollowedSchemaParts
  /** Tables that are disabled at the leader. They are here once the changes up to the sequence id are applied. */
  readonly #toDisable = new Map<TableName, number>()

  constructor(parts: FollowedSchemaParts) {
    this.#parts = parts
  }

  /** Resolves to the version of the leader's catalog. Throws HBaseErrors. */
  async look(leader: Leader): Promise<string> {
    const { version, tables } = await leader.changes.tableMarks(OWN_CALL)
    const { local, file } = this.#parts
    const namespaces = await leader.store.catalog.listNamespaces(OWN_CALL)
    await this.#makeNamespaces(namespaces)
    const names = new Set<TableName>(tables.map(({ table }) => table))
    const here = await descriptorsOf(local)
    for (const name of here.keys()) if (!names.has(name) && !isSystemTable(name)) await this.#drop(name)
    await this.#forgetAllBut(names)
    const there = await descriptorsOf(leader.store)
    for (const mark of tables) {
      const wanted = there.get(mark.table)
      if (wanted !== undefined) await this.#follow(leader, mark, wanted, here.get(mark.table))
    }
    await this.#dropNamespaces(namespaces)
    await this.#disableLater(leader, tables)
    await file.save({})
    return version
  }

  async #makeNamespaces(wanted: readonly NamespaceDescriptor[]): Promise<void> {
    const { catalog } = this.#parts.local
    const here = new Map((await catalog.listNamespaces(OWN_CALL)).map((each) => [each.name, each]))
    for (const namespace of wanted) {
      const present = here.get(namespace.name)
      if (present === undefined) await catalog.createNamespace(namespace, OWN_CALL)
      else if (JSON.stringify([...present.properties]) !== JSON.stringify([...namespace.properties]))
        await catalog.modifyNamespace(namespace, OWN_CALL)
    }
  }

  async #dropNamespaces(wanted: readonly NamespaceDescriptor[]): Promise<void> {
    const { catalog } = this.#parts.local
    const kept = new Set([...wanted.map(({ name }) => name), SYSTEM_NAMESPACE])
    for (const { name } of await catalog.listNamespaces(OWN_CALL))
      if (!kept.has(name)) await catalog.deleteNamespace(name, OWN_CALL)
  }

  async #drop(name: TableName): Promise<void> {
    const { catalog } = this.#parts.local
    if ((await catalog.tableState(name, OWN_CALL)) === 'ENABLED') await catalog.disableTable(name, OWN_CALL)
    await catalog.deleteTable(name, OWN_CALL)
  }

  async #forgetAllBut(names: ReadonlySet<string>): Promise<void> {
    const { file } = this.#parts
    const kept = Object.entries(file.record.tables).filter(([name]) => names.has(name))
    if (kept.length < Object.keys(file.record.tables).length)
      await file.save({ tables: Object.fromEntries(kept) })
  }

  async #follow(
    leader: Leader,
    mark: TableMark,
    wanted: TableDescriptor,
    here: TableDescriptor | undefined,
  ): Promise<void> {
    const { file } = this.#parts
    const note = file.record.tables[mark.table]
    const isOther = here === undefined || note?.mark !== mark.mark || note.gap !== undefined
    if (isOther) await this.#remake(leader, mark, wanted, here !== undefined)
    else await this.#alter(mark, note, wanted, here)
    if (mark.isEnabled) await this.enable(mark.table)
  }

  /** Makes the table anew, and copies its cells where no change has them. */
  async #remake(leader: Leader, mark: TableMark, wanted: TableDescriptor, isHere: boolean): Promise<void> {
    const { local, log } = this.#parts
    const { table } = mark
    if (mark.isUnlogged && !mark.isEnabled && isHere) {
      const known = this.#parts.file.record.tables[table]
      const gap =
        'loaded files or a snapshot changed it, and it is disabled at the leader: it is copied anew once it is enabled'
      await this.#note(mark, { ...(known ?? noteOf(mark, mark.since)), gap })
      return
    }
    const regions = await leader.store.catalog.regions(table, OWN_CALL)
    const splits = regions.map(({ startKey }) => startKey).filter((key) => key.length > 0)
    const after = mark.isUnlogged ? await leader.changes.lastChange(OWN_CALL) : mark.since
    // A promotion may come before the copy is whole.
    if (mark.isUnlogged) await this.#note(mark, { ...noteOf(mark, after), gap: 'it is being copied anew' })
    if (isHere) await this.#drop(table)
    if (!mark.isUnlogged) {
      await local.catalog.createTable(wanted, splits, OWN_CALL)
      await this.#note(mark, noteOf(mark, after))
      return
    }
    await local.catalog.createTable(writable(wanted), splits, OWN_CALL)
    if (mark.isEnabled) {
      log('info', `table ${table} is copied anew: loaded files or a snapshot changed it`)
      await this.#copy(leader, table)
      if (isReadOnly(wanted)) await local.catalog.modifyTable(wanted, OWN_CALL)
      await this.#note(mark, noteOf(mark, after))
      return
    }
    const gap = 'it came from a snapshot, and is disabled at the leader: it is copied once it is enabled'
    await this.#note(mark, { ...noteOf(mark, after), gap })
  }

  async #copy({ store: source }: Leader, table: TableName): Promise<void> {
    const { local, now, pause, call } = this.#parts
    await copyTable({
      source,
      destination: local,
      from: table,
      to: table,
      part: WHOLE_TABLE,
      call,
      rate: new RateLimit(Number.POSITIVE_INFINITY, now, pause),
      progress: new TransferProgress(table, now, () => undefined),
      pause,
      ranges: await plannedRanges(source, table, WHOLE_TABLE, undefined, call),
      reached: () => undefined,
    })
  }

  async #alter(
    mark: TableMark,
    note: TableNote,
    wanted: TableDescriptor,
    here: TableDescriptor,
  ): Promise<void> {
    const { catalog } = this.#parts.local
    const next = noteOf(mark, note.after)
    const isAnew = (name: Buffer): boolean => {
      const before = note.families[name.toString('base64')]
      return before !== undefined && before !== next.families[name.toString('base64')]
    }
    const kept = here.families.filter(({ name }) => !isAnew(name))
    if (kept.length === 0) {
      // No table is without families: all of them were removed and added again, one after the other.
      await this.#drop(mark.table)
      await catalog.createTable(wanted, [], OWN_CALL)
    } else {
      if (kept.length < here.families.length) await catalog.modifyTable({ ...here, families: kept }, OWN_CALL)
      if (kept.length < here.families.length || !isSameTable(here, wanted))
        await catalog.modifyTable(wanted, OWN_CALL)
    }
    if (JSON.stringify(note) !== JSON.stringify(next)) await this.#note(mark, next)
  }

  async #note({ table }: TableMark, note: TableNote): Promise<void> {
    const { file } = this.#parts
    await file.save({ tables: { ...file.record.tables, [table]: note } })
  }

  async #disableLater(leader: Leader, tables: readonly TableMark[]): Promise<void> {
    this.#toDisable.clear()
    if (tables.every(({ isEnabled }) => isEnabled)) return
    const upTo = await leader.changes.lastChange(OWN_CALL)
    for (const { table, isEnabled } of tables) if (!isEnabled) this.#toDisable.set(table, upTo)
  }

  /** Called once the changes up to the position are applied. */
  async reached(position: number): Promise<void> {
    const { catalog } = this.#parts.local
    for (const [table, upTo] of this.#toDisable) {
      if (position < upTo) continue
      try {
        if ((await catalog.tableState(table, OWN_CALL)) === 'ENABLED')
          await catalog.disableTable(table, OWN_CALL)
      } catch (error) {
        if (!isHBaseError(error) || error.code !== 'TABLE_NOT_FOUND') throw error
      }
      this.#toDisable.delete(table)
    }
  }

  /** False where the table is not read-only. The next look makes it read-only again. */
  async makeWritable(table: TableName): Promise<boolean> {
    const { catalog } = this.#parts.local
    const here = await catalog.table(table, OWN_CALL)
    if (!isReadOnly(here)) return false
    await catalog.modifyTable(writable(here), OWN_CALL)
    return true
  }

  async enable(table: TableName): Promise<void> {
    const { catalog } = this.#parts.local
    if ((await catalog.tableState(table, OWN_CALL)) === 'DISABLED') await catalog.enableTable(table, OWN_CALL)
  }
}

async function descriptorsOf({ catalog }: Store): Promise<Descriptors> {
  const all = [...(await catalog.listTables(OWN_CALL)), ...(await catalog.listSystemTables(OWN_CALL))]
  return new Map(all.map((table) => [table.name, table]))
}

function isReadOnly({ attributes }: TableDescriptor): boolean {
  return attributes.get(READ_ONLY)?.toLowerCase() === 'true'
}

function writable(table: TableDescriptor): TableDescriptor {
  if (!isReadOnly(table)) return table
  return { ...table, attributes: new Map([...table.attributes].filter(([name]) => name !== READ_ONLY)) }
}

function noteOf({ mark, families }: TableMark, after: number): TableNote {
  const since = families.map(({ name, since: each }) => [name.toString('base64'), each] as const)
  return { mark, after, families: Object.fromEntries(since) }
}

/** The notes of a first copy, which has all changes up to each table's origin. */
export function notesOf(tables: readonly TableMark[]): Record<string, TableNote> {
  return Object.fromEntries(tables.map((mark) => [mark.table, noteOf(mark, mark.since)]))
}
