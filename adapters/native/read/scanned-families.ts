import type { Turn } from '../../../src/filter/turns/turn.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { Scan } from '../../../src/model/query.ts'
import type { Steps } from '../../../src/model/steps.ts'
import type { CellRun } from '../cells/cell-run.ts'
import { createMatcher, type FamilyRead, openMerge, runMayHaveRows, timesRead } from './family-reads.ts'
import type { ReadContext } from './family-runs.ts'
import { FamilyScanner } from './family-scanner.ts'
import { RowKey } from './row-key.ts'
import type { ScanFilter } from './scan-filter.ts'

/** The families in which a scan has runs to read, and the row that it reads. */
export class ScannedFamilies {
  /** Families whose rows the scan visits. */
  readonly essential: FamilyScanner[] = []
  /** Families that are read only in rows that pass the filter. */
  readonly onDemand: FamilyScanner[] = []
  /** The present row; families compare their cells with it. */
  readonly row: RowKey = new RowKey()

  /** Number of cells read so far, returned or not. */
  get cellsSeen(): number {
    const { essential, onDemand } = this
    if (essential.length === 1 && onDemand.length === 0) return essential[0]!.cellsSeen
    let sum = 0
    for (let i = 0; i < essential.length; i++) sum += essential[i]!.cellsSeen
    for (let i = 0; i < onDemand.length; i++) sum += onDemand[i]!.cellsSeen
    return sum
  }

  /** Throws DO_NOT_RETRY for a reversed scan whose filter wants families on demand. */
  open(read: FamilyRead, scan: Scan, context: ReadContext, turn: Turn, filter: ScanFilter | undefined): void {
    const { rules, runs } = read.family
    const isEssential =
      filter === undefined || !scan.familiesOnDemand || filter.evaluator.isFamilyEssential(rules.name)
    if (!isEssential && scan.reversed) {
      throw new HBaseError('DO_NOT_RETRY', 'Reverse scan with loading CFs on demand is not supported')
    }
    const times = timesRead(scan, rules)
    const candidates = runs.filter((run) => run.mayHaveTimes(times) && runMayHaveRows(run, scan))
    const cells = openMerge(candidates, context.readPoint, scan)
    if (cells === undefined) return
    const matcher = createMatcher(read, scan, scan.raw, context.now, filter?.evaluator)
    const { familyOffset, familyLimit, reversed } = scan
    const families = isEssential ? this.essential : this.onDemand
    families.push(
      new FamilyScanner(cells, matcher, this.row, turn, familyOffset, familyLimit, reversed, filter),
    )
  }

  /** See CellMerge.replaceRun. */
  replaceRun(run: CellRun, by: CellRun | undefined): void {
    for (const { cells } of this.essential) cells.replaceRun(run, by)
    for (const { cells } of this.onDemand) cells.replaceRun(run, by)
  }

  /** The number of runs of all families. */
  get runCount(): number {
    let runs = 0
    for (const { cells } of this.essential) runs += cells.runCount
    for (const { cells } of this.onDemand) runs += cells.runCount
    return runs
  }

  /** The first part of `resumeReplaced`, for very many runs. */
  *enterInSteps(): Steps<void> {
    for (const { cells } of this.essential) yield* cells.enterInSteps()
    for (const { cells } of this.onDemand) yield* cells.enterInSteps()
  }

  /** See CellMerge.heldBytes. */
  get heldBytes(): number {
    let bytes = 0
    for (const { cells } of this.essential) bytes += cells.heldBytes
    for (const { cells } of this.onDemand) bytes += cells.heldBytes
    return bytes
  }

  /** See CellMerge.rest. */
  rest(): void {
    for (const { cells } of this.essential) cells.rest()
    for (const { cells } of this.onDemand) cells.rest()
  }

  resumeReplaced(): void {
    for (const family of this.essential) family.resumeReplaced()
    for (const family of this.onDemand) family.resumeReplaced()
  }

  close(): void {
    for (const { cells } of this.essential) cells.close()
    for (const { cells } of this.onDemand) cells.close()
  }
}
