import { describe, expect, it } from 'vitest'
import { familyRules } from '../../../../adapters/native/read/family-rules.ts'
import type { FamilyRuns } from '../../../../adapters/native/read/family-runs.ts'
import { RegionScanner } from '../../../../adapters/native/read/region-scanner.ts'
import { RowReader } from '../../../../adapters/native/read/row-reader.ts'
import { type CellParts, CellType } from '../../../../src/model/cell.ts'
import { CellBlockBuilder, cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor } from '../../../../src/model/descriptor.ts'
import { HBaseError } from '../../../../src/model/errors.ts'
import { get, scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { NOW, type RecordedCase, type RecordedRead, recordedCases, timestampName } from './hbase-reads.ts'
import { SortedRun, type WrittenCell } from './sorted-run.ts'

const TYPE_NAMES = new Map<number, string>(Object.entries(CellType).map(([name, type]) => [type, name]))

function cellText(cell: CellParts): string {
  const { row, family, qualifier, value } = cell
  const place = `${row.toString()}/${family.toString()}:${qualifier.toString()}/${timestampName(cell.timestamp)}`
  return cell.type === CellType.Put ? `${place}=${value.toString()}` : `${place}/${TYPE_NAMES.get(cell.type)}`
}

function resultText(cells: readonly CellParts[]): string {
  return ['=', ...cells.map(cellText)].join(' ')
}

const CONTEXT = { readPoint: Number.MAX_SAFE_INTEGER, now: NOW, random: () => 0.5 }
const LIMITS = { rows: 1000, bytes: 1 << 20, allowPartial: false }

function answer(families: readonly FamilyRuns[], read: RecordedRead): string[] {
  if (read.row !== undefined) {
    const target = new CellBlockBuilder()
    const count = new RowReader(() => 0.5).read(families, get(read.row, read.scan), CONTEXT, target)
    return count === 0 ? [] : [resultText(cellsOf(target.block()))]
  }
  try {
    const { results } = new RegionScanner(families, scan(read.scan), CONTEXT).next(LIMITS)
    const cells = cellsOf(gathered(results).cells)
    return results.counts.map((count) => resultText(cells.splice(0, count)))
  } catch (error) {
    if (!(error instanceof HBaseError)) throw error
    return [`=error UncheckedIOException ${error.javaClass}: ${error.message}`]
  }
}

/** The runs after the writes: one for each flush and one for the later writes. */
function familyRuns(recorded: RecordedCase, flushed: readonly WrittenCell[][]): FamilyRuns[] {
  return recorded.families.map(({ name, attributes }) => ({
    rules: familyRules(familyDescriptor(name, attributes)),
    runs: flushed.map((cells) => new SortedRun(cells.filter((cell) => cell.family.toString() === name))),
  }))
}

/** HBase's answers to the reads, and ours. `runOfEachWrite`: as if a flush followed each write. */
function replay(recorded: RecordedCase, runOfEachWrite: boolean): { expected: string[]; actual: string[] } {
  const runs: WrittenCell[][] = [[]]
  const expected: string[] = []
  const actual: string[] = []
  for (const step of recorded.steps) {
    if (step.kind === 'flush') runs.push([])
    else if (step.kind === 'write') {
      runs.at(-1)!.push(step.cell)
      if (runOfEachWrite) runs.push([])
    } else {
      expected.push(step.read.text, ...step.read.answer)
      actual.push(step.read.text, ...answer(familyRuns(recorded, runs), step.read))
    }
  }
  return { expected, actual }
}

describe('reads answer as HBase 2.6.1 did', () => {
  for (const recorded of recordedCases()) {
    it(recorded.name, () => {
      for (const runOfEachWrite of [false, true]) {
        const { expected, actual } = replay(recorded, runOfEachWrite)
        expect(actual).toEqual(expected)
      }
    })
  }
})
