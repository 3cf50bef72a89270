/** Histories made of others. */

import { CellType } from '../../../src/model/cell.ts'
import { LATEST_TIMESTAMP } from '../../../src/model/timestamp.ts'
import type { CellChange, FamilyAttributes, Step } from './step.ts'

/** A family with these keeps whatever is written to it. */
export const KEEPS_ALL = { VERSIONS: '1000', KEEP_DELETED_CELLS: 'TRUE' } as const

const REGION_CHANGES: readonly Step['kind'][] = [
  'splitTable',
  'mergeRegions',
  'unassignRegion',
  'assignRegion',
]

/** The history without changes of regions: the compaction that comes after a split shows in some answers. */
export function withoutRegionChanges(steps: readonly Step[]): Step[] {
  return steps.filter(({ kind }) => !REGION_CHANGES.includes(kind))
}

/** The history with a flush of the table after every third step that writes. */
export function flushedOften(steps: readonly Step[]): Step[] {
  let writes = 0
  return steps.flatMap((step): Step[] => {
    const isWrite = ['mutate', 'mutateRow', 'mutateRows'].includes(step.kind)
    if (!isWrite || ++writes % 3 !== 0) return [step]
    return [step, { kind: 'flushTable', table: step.table, pauseMs: 0 }]
  })
}

/** The history on tables whose families keep all: no flush shows in an answer, and no compaction that keeps tombstones. */
export function keepingAll(steps: readonly Step[]): Step[] {
  const kinds = steps.filter(({ kind }) => kind !== 'compactTable')
  return kinds.map((step) => {
    const makesFamilies = step.kind === 'createTable' || step.kind === 'modifyTable'
    return makesFamilies ? { ...step, families: step.families.map(kept) } : step
  })
}

function kept({ name, attributes }: FamilyAttributes): FamilyAttributes {
  return { name, attributes: { ...attributes, ...KEEPS_ALL, TTL: '2147483647', MIN_VERSIONS: '0' } }
}

/**
 * The history with NEW_VERSION_BEHAVIOR, without what tells the memory store from HBase and the engine (see presentPuts): each cell
 * has a write of its own, a version has two of them at most, and all tombstones are either of single versions or of ranges of
 * them. Nothing expires: a compaction of the engine lets files go whose cells have all expired, and of others of such families
 * keeps what has.
 */
export function byNewVersions(steps: readonly Step[]): Step[] {
  const first = steps.flatMap(cellsOf).find(({ type }) => type !== CellType.Put)
  const ofVersions = first !== undefined && isOfVersion(first)
  const writes = new Map<string, number>()
  let elapsedMs = 0n
  const isKept = (row: string, cell: CellChange): boolean => {
    if (cell.type !== CellType.Put) return isOfVersion(cell) === ofVersions
    const time = cell.timestamp === LATEST_TIMESTAMP ? `now+${elapsedMs}` : String(cell.timestamp)
    const version = JSON.stringify([row, cell.family, cell.qualifier, time])
    writes.set(version, (writes.get(version) ?? 0) + 1)
    return writes.get(version)! <= 2
  }
  return steps.flatMap((step): Step[] => {
    elapsedMs += BigInt(step.pauseMs)
    if (step.kind === 'createTable' || step.kind === 'modifyTable')
      return [{ ...step, families: step.families.map(withNewVersions) }]
    if (step.kind === 'mutate') {
      const singles = step.changes.flatMap((change) =>
        change.cells.filter((cell) => isKept(change.row, cell)).map((cell) => ({ ...change, cells: [cell] })),
      )
      return singles.map((change) => ({ ...step, changes: [change] }))
    }
    if (step.kind === 'mutateRows') return []
    if (step.kind !== 'mutateRow') return [step]
    const [operation] = step.operations
    const cells = operation?.cells.filter((cell) => isKept(step.row, cell)).slice(0, 1) ?? []
    return cells.length === 0 ? [] : [{ ...step, operations: [{ ...operation!, cells }] }]
  })
}

function withNewVersions({ name, attributes }: FamilyAttributes): FamilyAttributes {
  return { name, attributes: { ...attributes, NEW_VERSION_BEHAVIOR: 'true', TTL: '2147483647' } }
}

function cellsOf(step: Step): readonly CellChange[] {
  if (step.kind === 'mutate') return step.changes.flatMap(({ cells }) => cells)
  if (step.kind === 'mutateRows')
    return step.parts.flatMap(({ operations }) => operations.flatMap(({ cells }) => cells))
  return step.kind === 'mutateRow' ? step.operations.flatMap(({ cells }) => cells) : []
}

function isOfVersion({ type }: CellChange): boolean {
  return type === CellType.Delete || type === CellType.DeleteFamilyVersion
}
