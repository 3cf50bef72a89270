/** Reads the recorded cases of hbase-reads.txt: writes, reads and HBase's answers. */

import { readFileSync } from 'node:fs'
import { CellType } from '../../../../src/model/cell.ts'
import { ColumnsBuilder, type Scan } from '../../../../src/model/query.ts'
import { TimeRange } from '../../../../src/model/time-range.ts'
import { packageRoot } from '../../../../src/package-root.ts'
import { timeToLiveTag, type WrittenCell } from './sorted-run.ts'

export interface RecordedRead {
  readonly text: string
  /** undefined: a scan. */
  readonly row: Buffer | undefined
  readonly scan: Partial<Scan>
  readonly answer: string[]
}

export type Step =
  | { readonly kind: 'write'; readonly cell: WrittenCell }
  | { readonly kind: 'flush' }
  | { readonly kind: 'read'; readonly read: RecordedRead }

export interface RecordedCase {
  readonly name: string
  readonly families: { readonly name: string; readonly attributes: [string, string][] }[]
  readonly steps: Step[]
}

/** The present time of every case. */
export const NOW = 1_700_000_000_000

function bytes(text: string): Buffer {
  return Buffer.from(text === "''" ? '' : text)
}

function timestamp(text: string): bigint {
  return text.startsWith('@') ? BigInt(NOW) + BigInt(text.slice(1)) : BigInt(text)
}

/** A timestamp as the answers name it. */
export function timestampName(value: bigint): string {
  const distance = value - BigInt(NOW)
  return value > 1_000_000_000n && value < 1n << 62n ? `@${distance}` : value.toString()
}

const TYPES: Record<string, number> = {
  put: CellType.Put,
  delete: CellType.Delete,
  deleteColumn: CellType.DeleteColumn,
  deleteFamily: CellType.DeleteFamily,
  deleteFamilyVersion: CellType.DeleteFamilyVersion,
}

function written(words: readonly string[], sequenceId: number): WrittenCell {
  const [verb = '', row = '', column = '', time = '', value = '', ttl] = words
  const [family = '', qualifier = ''] = column.split(':')
  return {
    row: bytes(row),
    family: bytes(family),
    qualifier: bytes(qualifier),
    timestamp: timestamp(time),
    type: TYPES[verb]!,
    value: bytes(value),
    sequenceId,
    ...(ttl === undefined ? {} : { tags: timeToLiveTag(Number(ttl.split('=')[1])) }),
  }
}

function range(min = '', max = ''): TimeRange {
  return TimeRange.between(timestamp(min), timestamp(max))
}

type Options = { -readonly [K in keyof Scan]?: Scan[K] }

const OPTIONS: Record<string, (value: string, query: Options, columns: ColumnsBuilder) => void> = {
  col: (value, _query, columns) => {
    const [family = '', qualifier] = value.split(':')
    if (qualifier === undefined) columns.addFamily(bytes(family))
    else columns.addColumn(bytes(family), bytes(qualifier))
  },
  versions: (value, query) => (query.maxVersions = Number(value)),
  range: (value, query) => (query.timeRange = range(...value.split(','))),
  familyRange: (value, query) => {
    const [family = '', min, max] = value.split(',')
    query.familyTimeRanges = new Map([[family, range(min, max)]])
  },
  limit: (value, query) => (query.familyLimit = Number(value)),
  offset: (value, query) => (query.familyOffset = Number(value)),
  start: (value, query) => (query.startRow = bytes(value)),
  after: (value, query) => Object.assign(query, { startRow: bytes(value), includeStartRow: false }),
  stop: (value, query) => (query.stopRow = bytes(value)),
  to: (value, query) => Object.assign(query, { stopRow: bytes(value), includeStopRow: true }),
  reversed: (_value, query) => (query.reversed = true),
  raw: (_value, query) => (query.raw = true),
  batch: (value, query) => (query.batch = Number(value)),
  rows: (value, query) => (query.limit = Number(value)),
}

function recordedRead(text: string, words: readonly string[]): RecordedRead {
  const isGet = words[0] === 'get'
  const query: Options = {}
  const columns = new ColumnsBuilder()
  for (const word of words.slice(isGet ? 2 : 1)) {
    const [key = '', value = ''] = word.split('=')
    OPTIONS[key]!(value, query, columns)
  }
  query.columns = columns.build()
  return { text, row: isGet ? bytes(words[1]!) : undefined, scan: query, answer: [] }
}

export function recordedCases(): RecordedCase[] {
  const cases: RecordedCase[] = []
  let sequenceId = 0
  for (const line of readFileSync(
    new URL('test/adapters/native/read/hbase-reads.txt', packageRoot()),
    'utf8',
  ).split('\n')) {
    const words = line.split(' ')
    const current = cases.at(-1)
    if (line === '' || line.startsWith('#')) continue
    if (words[0] === 'case') cases.push({ name: line.slice(5), families: [], steps: [] })
    else if (words[0] === 'family') {
      const attributes = words.slice(2).map((word): [string, string] => {
        const [key = '', value = ''] = word.split('=')
        return [key, value]
      })
      current!.families.push({ name: words[1]!, attributes })
    } else if (line.startsWith('=')) {
      const step = current!.steps.at(-1)!
      if (step.kind === 'read') step.read.answer.push(line)
    } else if (words[0] === 'flush') current!.steps.push({ kind: 'flush' })
    else if (words[0] === 'get' || words[0] === 'scan') {
      current!.steps.push({ kind: 'read', read: recordedRead(line, words) })
    } else current!.steps.push({ kind: 'write', cell: written(words, ++sequenceId) })
  }
  return cases
}
