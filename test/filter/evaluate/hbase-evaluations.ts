/**
 * Evaluations by HBase 2.6.1's own classes: an input of recorder/EvaluateFilters.java and, in the next line, its answer.
 */

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { encodeFilter } from '../../../src/filter/protobuf/encode-filter.ts'
import { compareBytes } from '../../../src/model/bytes.ts'
import { type CellParts, CellType } from '../../../src/model/cell.ts'
import { blockOf, CELL_PREFIX_BYTES } from '../../../src/model/cell-block.ts'
import type { Filter, RowRange } from '../../../src/model/filter.ts'
import { packageRoot } from '../../../src/package-root.ts'
import { totalComparators } from '../comparator-arbitrary.ts'
import { filterArbitrary } from '../filter-arbitrary.ts'

/** As region servers run: without these FuzzyRowFilter takes another way, which no server takes. */
const OPENED = [
  'java.base/java.nio',
  'java.base/sun.nio.ch',
  'java.base/java.lang',
  'java.base/jdk.internal.ref',
]
  .map((opened) => `--add-opens=${opened}=ALL-UNNAMED`)
  .concat('--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED')

const FILE = new URL('test/filter/evaluate/hbase-evaluations.txt', packageRoot())

const text = (...words: string[]): fc.Arbitrary<Buffer> =>
  fc.constantFrom(...words).map((word) => Buffer.from(word, 'latin1'))
const rows = text('a', 'a\0', 'ab', 'abc', 'b', 'bb', 'c', 'cab', '\xff', '\xff\xff')
const families = text('f', 'f', 'f', 'g')
const qualifiers = text('', 'a', 'ab', 'b', 'ba', 'c', '\xff')
const values = text('', 'a', 'm', 'mm', 'z', 'A\xe9')
const timestamps = fc.bigInt(0n, 7n)

const filter = filterArbitrary({
  rows,
  families,
  qualifiers,
  values,
  timestamps,
  comparators: totalComparators(fc.oneof(rows, qualifiers, values)).map((comparator) =>
    comparator.kind === 'RegexStringComparator' ? { ...comparator, engine: 'JAVA' } : comparator,
  ),
  without: ['RandomRowFilter', 'FilterAllFilter'],
})

const cell = fc
  .tuple(fc.constant(Buffer.alloc(0)), families, qualifiers, timestamps, values)
  .map(([row, family, qualifier, timestamp, value]) => {
    return { row, family, qualifier, timestamp, type: CellType.Put, value }
  })

const table = fc
  .uniqueArray(rows, { minLength: 1, maxLength: 6, selector: (row) => row.toString('latin1') })
  .chain((keys) =>
    fc.tuple(
      fc.constant(keys.sort(compareBytes)),
      fc.array(fc.array(cell, { minLength: 1, maxLength: 7, size: 'max' }), {
        minLength: keys.length,
        maxLength: keys.length,
      }),
    ),
  )
  .map(([keys, contents]) =>
    keys.map((row, i) => {
      const cells = contents[i]!.map((part) => ({ ...part, row })).sort(compareParts)
      return cells.filter((part, i) => i === 0 || compareParts(cells[i - 1]!, part) !== 0)
    }),
  )

function compareParts(a: CellParts, b: CellParts): number {
  return (
    compareBytes(a.family, b.family) ||
    compareBytes(a.qualifier, b.qualifier) ||
    Number(b.timestamp - a.timestamp)
  )
}

/** Ranges that overlap, and some that end before they begin. */
const overlapping = fc
  .array(
    fc.record({
      startRow: fc.oneof({ weight: 9, arbitrary: rows }, { weight: 1, arbitrary: text('') }),
      includeStartRow: fc.boolean(),
      stopRow: fc.oneof({ weight: 9, arbitrary: rows }, { weight: 1, arbitrary: text('') }),
      includeStopRow: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((ranges) => ranges.map((range) => (isBackwards(range) ? { ...range, ...turned(range) } : range)))
  .map((ranges): Filter => ({ kind: 'MultiRowRangeFilter', ranges }))

function isBackwards({ startRow, stopRow }: RowRange): boolean {
  return stopRow.length > 0 && compareBytes(startRow, stopRow) >= 0
}

function turned({ startRow, stopRow }: RowRange): Partial<RowRange> {
  return { startRow: stopRow, stopRow: startRow, includeStopRow: true }
}

/** HBase has no answer for a MultiRowRangeFilter in a SkipFilter, which does not show it the row. */
function isWithoutAnswer(filter: Filter, skips = false): boolean {
  if (filter.kind === 'FilterList') return filter.filters.some((member) => isWithoutAnswer(member, skips))
  if (filter.kind === 'SkipFilter') return isWithoutAnswer(filter.filter, true)
  if (filter.kind === 'WhileMatchFilter') return isWithoutAnswer(filter.filter, skips)
  return skips && filter.kind === 'MultiRowRangeFilter'
}

const answeredFilter = fc
  .oneof({ weight: 15, arbitrary: filter }, { weight: 1, arbitrary: overlapping })
  .filter((tree) => !isWithoutAnswer(tree))
const inputLine = fc.tuple(answeredFilter, table, fc.boolean()).map(([filter, table, reversed]) => {
  const lines = table.map((cells) => cells.map(cellHex).join(','))
  if (reversed) lines.reverse()
  return [filterHex(filter), reversed ? 'reversed' : 'forward', ...lines].join(' ')
})
/** Large trees say little more than small ones. */
const shortInputLine = inputLine.filter((line) => line.length < 1200)

function cellHex(part: CellParts): string {
  const { buffer, end } = blockOf([part])
  return buffer.toString('hex', CELL_PREFIX_BYTES, end)
}

function filterHex(filter: Filter): string {
  return Buffer.from(encodeFilter(filter)).toString('hex')
}

export interface Evaluation {
  readonly input: string
  readonly transcript: string
}

export function recordedEvaluations(): Evaluation[] {
  const lines = readFileSync(FILE, 'utf8').trimEnd().split('\n')
  return lines.flatMap((input, i) => (i % 2 === 0 ? [{ input, transcript: lines[i + 1]! }] : []))
}

/** Asks the classes on `classPath`, among them EvaluateFilters, about random filters. */
export function recordEvaluations(classPath: string, count: number): void {
  const inputs = fc.sample(shortInputLine, count)
  const output = execFileSync('java', [...OPENED, '-cp', classPath, 'EvaluateFilters'], {
    input: `${inputs.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const transcripts = output.trimEnd().split('\n')
  writeFileSync(FILE, inputs.map((input, i) => `${input}\n${transcripts[i]}\n`).join(''))
}
