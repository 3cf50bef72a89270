/** The sum of the manifest's edits: namespaces, tables, regions and their files, snapshots. */

import { assert } from '../../../src/model/assert.ts'
import { EMPTY } from '../../../src/model/bytes.ts'
import type { FamilyDescriptor, TableDescriptor } from '../../../src/model/descriptor.ts'
import { type Attributes, type NamespaceDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { atOnce, eachInSteps, isStepEnd, type Steps } from '../../../src/model/steps.ts'
import {
  DEFAULT_NAMESPACE,
  namespaceOf,
  parseTableName,
  SYSTEM_NAMESPACE,
} from '../../../src/model/table-name.ts'
import type {
  AttributeList,
  FamilyRecord,
  FlushedRegion,
  LogKeepingRecord,
  LogRecord,
  ManifestEdit,
  RegionRecord,
  ShownTableRecord,
  SnapshotRecord,
  TableOrigin,
  TableRecord,
} from './manifest-edit.ts'
import { RegionRecords } from './region-records.ts'
import { RetiredRegions } from './retired-regions.ts'
import { originOfFlush, originOfRegions, originOfTable } from './table-origin.ts'

type CompactionEdit = ManifestEdit & { kind: 'compaction' }
type RegionsEdit = ManifestEdit & { kind: 'regions' }

export class Catalog {
  readonly namespaces: Map<string, AttributeList> = new Map([
    [DEFAULT_NAMESPACE, []],
    [SYSTEM_NAMESPACE, []],
  ])
  readonly tables: Map<string, TableRecord> = new Map()
  /** The tables that the gateway shows and whose descriptors clients have changed, by name. */
  readonly shown: Map<string, ShownTableRecord> = new Map()
  readonly snapshots: Map<string, SnapshotRecord> = new Map()
  /** Names of switches that are off. */
  readonly off: Set<string> = new Set()
  /** Regions that are no more. */
  readonly retired: RetiredRegions = new RetiredRegions()
  readonly #regions = new RegionRecords()
  /** The store's UUID, which never changes; undefined before the first start has made it. */
  clusterId: string | undefined
  /** The log's files; undefined in a store of the time before they were recorded. */
  logs: readonly LogRecord[] | undefined
  /** The part of the log that is kept for readers of changes. */
  keeping: LogKeepingRecord | undefined
  /** The number of the next region or file. */
  nextNumber = 1
  /** Greater than every sequence id in the edits. */
  nextSequenceId = 1
  /** Grows with each edit that readers of the log do not learn of otherwise: of namespaces and tables, and of cells that no record has. */
  version = 0

  /** Asserts that a new edit fits the catalog, before the manifest records it. */
  check(edit: ManifestEdit): void {
    atOnce(this.checkInSteps(edit))
  }

  /** As check. No edit may be applied between two steps. */
  *checkInSteps(edit: ManifestEdit): Steps<void> {
    if (edit.kind === 'table') yield* assertNoGaps(edit.table.regions)
    if (edit.kind === 'snapshot') yield* assertNoGaps(edit.snapshot.table.regions)
    if (edit.kind === 'flush') this.#checkFlush(edit)
    if (edit.kind === 'flushes') for (const flush of edit.regions) this.#checkFlush(flush)
    if (edit.kind === 'compaction') this.#checkCompaction(edit)
    if (edit.kind === 'regions') yield* this.#checkRegions(edit)
  }

  *#checkRegions({ table, replaced, regions }: RegionsEdit): Steps<void> {
    const before = replaced.map((number) => this.#regions.get(number))
    const gone = new Set(before)
    const [first, last] = [before[0], before.at(-1)]
    assert(first !== undefined && last !== undefined, `regions of ${table} that are not there give way`)
    const isWithin = regions[0]?.startKey.equals(first.startKey) && regions.at(-1)?.endKey.equals(last.endKey)
    assert(isWithin === true, `regions of ${table} give way to others of other rows`)
    const present = this.tables.get(table)?.regions ?? []
    assert(present.includes(first), `region ${first.number} is not of ${table}`)
    yield* assertNoGaps(
      present.flatMap((region) => (region === first ? regions : gone.has(region) ? [] : region)),
    )
  }

  #checkCompaction({ region: number, replaced }: CompactionEdit): void {
    const found = this.#regions.get(number)
    assert(found !== undefined, `a compaction of region ${number}, which no table has`)
    const known = new Set(found.files.map((file) => file.number))
    for (const file of replaced) {
      assert(known.has(file), `a compaction of file ${file}, which region ${number} does not have`)
    }
  }

  #checkFlush({ region: number, flushedSequenceId }: FlushedRegion): void {
    const found = this.#regions.get(number)
    assert(found !== undefined, `a flush of region ${number}, which no table has`)
    assert(
      found.flushedSequenceId <= flushedSequenceId,
      `a flush of region ${number} that is older than its last`,
    )
  }

  apply(edit: ManifestEdit): void {
    atOnce(this.applyInSteps(edit))
  }

  /** As apply. No other edit may be checked or applied between two steps; those who read see it in tables and snapshots with the last. */
  *applyInSteps(edit: ManifestEdit): Steps<void> {
    yield* this.#applyInSteps(edit)
    if (isOfSchema(edit)) this.version++
  }

  *#applyInSteps(edit: ManifestEdit): Steps<void> {
    yield* this.retired.note(edit, this)
    this.#noteSequenceId(lastUsedBy(edit))
    switch (edit.kind) {
      case 'generation':
      case 'discarded':
      case 'retired':
        break
      case 'counters':
        this.nextNumber = Math.max(this.nextNumber, edit.nextNumber)
        this.nextSequenceId = Math.max(this.nextSequenceId, edit.nextSequenceId)
        break
      case 'cluster':
        this.clusterId = edit.id
        break
      case 'logs':
        this.logs = edit.logs
        this.keeping = edit.keeping
        this.#noteSequenceId(edit.keeping?.from ?? 0)
        for (const { last } of edit.keeping?.kept ?? []) this.#noteSequenceId(last)
        break
      case 'namespace':
        this.namespaces.set(edit.name, edit.properties)
        break
      case 'namespace-gone':
        this.namespaces.delete(edit.name)
        break
      case 'table':
        for (const { sinceSequenceId } of edit.table.families) this.#noteSequenceId(sinceSequenceId)
        yield* this.#noteAll(edit.table.regions)
        yield* this.#setTable({
          ...edit.table,
          origin: originOfTable(edit, this.tables.get(edit.table.name)),
        })
        break
      case 'shown-table':
        this.shown.set(edit.table.name, edit.table)
        break
      case 'table-gone':
        yield* this.#regions.forget(edit.name)
        this.tables.delete(edit.name)
        break
      case 'regions':
        yield* this.#applyRegions(edit)
        break
      case 'snapshot':
        this.nextNumber = Math.max(this.nextNumber, edit.snapshot.number + 1)
        yield* this.#noteAll(edit.snapshot.table.regions)
        this.snapshots.set(edit.snapshot.name, edit.snapshot)
        break
      case 'snapshot-gone':
        this.snapshots.delete(edit.name)
        break
      case 'switch':
        if (edit.isOn) this.off.delete(edit.name)
        else this.off.add(edit.name)
        break
      case 'flush':
        this.#applyFlush(edit)
        if (edit.unloggedIn !== undefined) this.#setOrigin(edit.unloggedIn, originOfFlush(edit))
        break
      case 'flushes':
        for (const flush of edit.regions) this.#applyFlush(flush)
        break
      case 'compaction':
        this.#applyCompaction(edit)
        break
    }
  }

  *#setTable(table: TableRecord): Steps<void> {
    const regions = yield* this.#regions.set(table.name, table.regions)
    this.tables.set(table.name, { ...table, regions })
  }

  *#applyRegions(edit: RegionsEdit): Steps<void> {
    const { table: name, replaced, regions } = edit
    const table = this.tables.get(name)
    if (table === undefined) return
    const gone = new Set(replaced)
    const changed = table.regions.flatMap((region) => {
      if (region.number === replaced[0]) return regions
      return gone.has(region.number) ? [] : [region]
    })
    yield* this.#noteAll(regions)
    const origin = originOfRegions(edit)
    yield* this.#setTable({ ...table, ...(origin && { origin }), regions: changed })
  }

  #setOrigin(name: string, origin: TableOrigin | undefined): void {
    const table = this.tables.get(name)
    if (table !== undefined && origin !== undefined) this.tables.set(name, { ...table, origin })
  }

  #noteAll(regions: readonly RegionRecord[]): Steps<void> {
    return eachInSteps(regions, (region) => this.#note(region))
  }

  #note(region: RegionRecord): void {
    this.nextNumber = Math.max(this.nextNumber, region.number + 1)
    for (const file of region.files) this.nextNumber = Math.max(this.nextNumber, file.number + 1)
    this.#noteSequenceId(region.flushedSequenceId)
  }

  #noteSequenceId(sequenceId: number): void {
    this.nextSequenceId = Math.max(this.nextSequenceId, sequenceId + 1)
  }

  #applyFlush({ region: number, flushedSequenceId, files }: FlushedRegion): void {
    this.#changeRegion(number, (before) => ({
      ...before,
      flushedSequenceId,
      files: [...before.files, ...files],
    }))
  }

  /** The new file takes the place of the first old one, so that files stay in the order of their sequence ids. */
  #applyCompaction({ region: number, replaced, files }: CompactionEdit): void {
    const gone = new Set(replaced)
    this.#changeRegion(number, (before) => ({
      ...before,
      files: before.files.flatMap((file) => {
        if (file.number === replaced[0]) return files
        return gone.has(file.number) ? [] : [file]
      }),
    }))
  }

  #changeRegion(number: number, change: (region: RegionRecord) => RegionRecord): void {
    const before = this.#regions.get(number)
    if (before === undefined) return
    const after = change(before)
    this.#regions.replace(after)
    this.#note(after)
  }

  /** Edits that make this catalog out of an empty one. */
  edits(): ManifestEdit[] {
    const { clusterId, keeping, logs } = this
    return [
      ...(clusterId === undefined ? [] : [{ kind: 'cluster', id: clusterId } as const]),
      ...(logs === undefined
        ? []
        : [{ kind: 'logs', logs, ...(keeping !== undefined && { keeping }) } as const]),
      { kind: 'counters', nextNumber: this.nextNumber, nextSequenceId: this.nextSequenceId },
      this.retired.edit(this),
      ...[...this.namespaces].map(
        ([name, properties]): ManifestEdit => ({ kind: 'namespace', name, properties }),
      ),
      ...[...this.tables.values()].map((table): ManifestEdit => ({ kind: 'table', table })),
      ...[...this.shown.values()].map((table): ManifestEdit => ({ kind: 'shown-table', table })),
      ...[...this.snapshots.values()].map((snapshot): ManifestEdit => ({ kind: 'snapshot', snapshot })),
      ...[...this.off].map((name): ManifestEdit => ({ kind: 'switch', name, isOn: false })),
    ]
  }

  tablesOfNamespace(name: string): number {
    let count = 0
    for (const table of this.tables.keys()) if (namespaceOf(parseTableName(table)) === name) count++
    return count
  }
}

const OF_SCHEMA: ReadonlySet<ManifestEdit['kind']> = new Set([
  'namespace',
  'namespace-gone',
  'table',
  'table-gone',
])

function isOfSchema(edit: ManifestEdit): boolean {
  if (edit.kind === 'flush') return edit.unloggedIn !== undefined
  return OF_SCHEMA.has(edit.kind) || (edit.kind === 'regions' && originOfRegions(edit) !== undefined)
}

/** Sequence ids up to this one had been used when the edit was made: no flush may say so of the regions that it takes away. */
function lastUsedBy(edit: ManifestEdit): number {
  if (edit.kind !== 'table' && edit.kind !== 'table-gone' && edit.kind !== 'regions') return 0
  return edit.lastSequenceId ?? 0
}

/** The first region begins at EMPTY, each other one where its predecessor ends, and the last has no end. */
function* assertNoGaps(regions: readonly RegionRecord[]): Steps<void> {
  let end: Buffer = EMPTY
  for (const [index, { startKey, endKey, number }] of regions.entries()) {
    assert(startKey.equals(end), `region ${number} does not begin where the one before it ends`)
    const isLast = index === regions.length - 1
    assert(isLast === (endKey.length === 0), `region ${number} is the last of its table, or it has an end`)
    assert(isLast || endKey.compare(startKey) > 0, `region ${number} ends before it begins`)
    end = endKey
    if (isStepEnd(index)) yield
  }
  assert(regions.length > 0, 'a table has no regions')
}

export function attributeList(attributes: Attributes): AttributeList {
  return [...attributes]
}

export function namespaceOfRecord(name: string, properties: AttributeList): NamespaceDescriptor {
  return { name, properties: new Map(properties) }
}

export function descriptorOfRecord(record: ShownTableRecord): TableDescriptor {
  const families = record.families.map(
    ({ name, attributes, configuration }): FamilyDescriptor => ({
      name,
      attributes: new Map(attributes),
      ...(configuration && { configuration: new Map(configuration) }),
    }),
  )
  return { ...tableDescriptor(parseTableName(record.name), families), attributes: new Map(record.attributes) }
}

/** A family that `before` had keeps its cells. */
export function familyRecords(
  table: TableDescriptor,
  before: readonly FamilyRecord[],
  lastSequenceId: number,
): FamilyRecord[] {
  return table.families.map(({ name, attributes, configuration }) => ({
    name: Buffer.from(name),
    attributes: attributeList(attributes),
    ...(configuration && { configuration: attributeList(configuration) }),
    sinceSequenceId: before.find((family) => family.name.equals(name))?.sinceSequenceId ?? lastSequenceId,
  }))
}
