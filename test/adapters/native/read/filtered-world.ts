/** Small worlds of cells as texts, the results of their scans, and filters for them. */

import { familyRules } from '../../../../adapters/native/read/family-rules.ts'
import type { FamilyRuns, ScanContext } from '../../../../adapters/native/read/family-runs.ts'
import { RegionScanner } from '../../../../adapters/native/read/region-scanner.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor } from '../../../../src/model/descriptor.ts'
import type { Comparator, Filter } from '../../../../src/model/filter.ts'
import { type Scan, scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import type { ScanLimits } from '../../../../src/store/handouts.ts'
import { CountedRun, ReadCounts } from '../../../harness/counted-run.ts'
import { SortedRun, type WrittenCell } from './sorted-run.ts'

export const NEWEST: ScanContext = { readPoint: Number.MAX_SAFE_INTEGER, now: 1000, random: () => 0.5 }
export const ANY: ScanLimits = { rows: 1000, bytes: 1 << 20, allowPartial: false }

/** `row/family:qualifier@timestamp`, with `=value` or the tombstone's type behind it. */
function written(text: string, sequenceId: number): WrittenCell {
  const [, row, family, qualifier, timestamp, type, value] = /^(.*)\/(.*):(.*)@(\d+)(=| Delete\w*)(.*)$/.exec(
    text,
  )!
  const name = type === '=' ? 'Put' : (type!.trim() as keyof typeof CellType)
  return {
    row: Buffer.from(row!),
    family: Buffer.from(family!),
    qualifier: Buffer.from(qualifier!),
    timestamp: BigInt(timestamp!),
    type: CellType[name],
    value: Buffer.from(value!),
    sequenceId,
  }
}

export interface World {
  readonly families: FamilyRuns[]
  readonly counts: ReadCounts
}

/** The cells of `runs`, oldest run first, in families `f` and `g` that keep three versions. */
export function worldOf(...runs: string[][]): World {
  const counts = new ReadCounts()
  const cells = runs.map((run, index) => run.map((text) => written(text, index + 1)))
  const families = ['f', 'g'].map((name) => ({
    rules: familyRules(familyDescriptor(name, [['VERSIONS', '3']])),
    runs: cells
      .map((run) => run.filter(({ family }) => family.toString() === name))
      .filter((run) => run.length > 0)
      .map((run) => new CountedRun(new SortedRun(run), counts)),
  }))
  return { families, counts }
}

export function resultsOf(world: World, query: Partial<Scan>, limits: ScanLimits = ANY): string[] {
  const scanner = new RegionScanner(world.families, scan(query), NEWEST)
  const found: string[] = []
  for (let more = true; more; ) {
    const { results, more: hasMore } = scanner.next(limits)
    const texts = cellsOf(gathered(results).cells).map((cell) => {
      return `${cell.row.toString()}/${cell.family.toString()}:${cell.qualifier.toString()}@${cell.timestamp}=${cell.value.toString()}`
    })
    for (const count of results.counts) found.push(texts.splice(0, count).join(' '))
    more = hasMore
    scanner.rest()
  }
  scanner.close()
  return found
}

export function binary(value: string): Comparator {
  return { kind: 'BinaryComparator', value: Buffer.from(value) }
}

export function valueIs(value: string): Filter {
  return { kind: 'ValueFilter', operator: 'EQUAL', comparator: binary(value) }
}

export function prefix(text: string): Filter {
  return { kind: 'PrefixFilter', prefix: Buffer.from(text) }
}

export function columnIs(family: string, qualifier: string, value: string, filterIfMissing: boolean): Filter {
  return {
    kind: 'SingleColumnValueFilter',
    family: Buffer.from(family),
    qualifier: Buffer.from(qualifier),
    operator: 'EQUAL',
    comparator: binary(value),
    filterIfMissing,
    latestVersionOnly: true,
  }
}

export const FIRST_KEY: Filter = { kind: 'FirstKeyOnlyFilter' }
