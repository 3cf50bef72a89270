/** Histories made of others. */

import type { FamilyAttributes, Step } from './step.ts'

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
    const isWrite = step.kind === 'mutate' || step.kind === 'mutateRow'
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
