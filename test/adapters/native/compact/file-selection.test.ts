import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CandidateFile, SelectionRequest } from '../../../../adapters/native/compact/candidate-file.ts'
import {
  type CompactionRules,
  compactionRules,
} from '../../../../adapters/native/compact/compaction-rules.ts'
import {
  expiredFiles,
  selectBeside,
  selectFiles,
} from '../../../../adapters/native/compact/file-selection.ts'
import { DEFAULT_COMPACTION_OPTIONS } from '../../../../adapters/native/options/compaction-options.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'

const NOW = 1_700_000_000_000
const DAY = 86_400_000
const FAMILY = familyDescriptor('f')
const TABLE = tableDescriptor(parseTableName('t'), [FAMILY])

function rulesWith(changes: Partial<CompactionRules> = {}): CompactionRules {
  return { ...compactionRules(DEFAULT_COMPACTION_OPTIONS, TABLE, FAMILY, 10), ...changes }
}

function filesOf(...sizes: number[]): CandidateFile[] {
  return sizes.map((bytes, index) => ({
    number: index + 1,
    bytes,
    createdAt: NOW,
    isOfMajorCompaction: false,
    earliest: BigInt(NOW),
    latest: BigInt(NOW),
  }))
}

const BY_ITSELF: SelectionRequest = { isByUser: false, major: false, now: NOW, expiredBefore: undefined }

/** The sizes of the chosen files, and `all` where no other is left. */
function chosen(files: CandidateFile[], rules = rulesWith(), request = BY_ITSELF): (number | string)[] {
  const selection = selectFiles(files, rules, request)
  if (selection === undefined) return []
  return [...selection.files.map(({ bytes }) => bytes), ...(selection.isOfAll ? ['all'] : [])]
}

describe('the files of a compaction', () => {
  // HBase: TestDefaultCompactSelection, with minFiles 3, maxFiles 5, minSize 10, maxSize 1000 and ratio 1.
  const small = rulesWith({ filesMax: 5, bytesMax: 1000, ratio: 1 })
  it.each([
    ['of about one size', [999, 50, 23, 12, 12], [23, 12, 12]],
    ['none but three', [100, 50, 23, 12, 12], [23, 12, 12]],
    ['none of two', [12, 12], []],
    ['small ones, whatever their ratio', [5, 3, 1], [5, 3, 1, 'all']],
    ['not one that is too large', [1500, 4, 5, 6], [4, 5, 6]],
    ['the smallest of as many as may be', [7, 6, 5, 4, 3, 2, 1], [5, 4, 3, 2, 1]],
    ['none out of ratio', [100, 20, 4000], []],
  ])('%s', (_, sizes, expected) => {
    expect(chosen(filesOf(...sizes), small)).toEqual(expected)
  })

  it('the smallest ones where the store is stuck', () => {
    const sizes = [1000, 300, 90, 30]
    expect(chosen(filesOf(...sizes), rulesWith({ ratio: 0.1 }))).toEqual([])
    expect(chosen(filesOf(...sizes), rulesWith({ ratio: 0.1, blockingFiles: 4 }))).toEqual([300, 90, 30])
  })

  it('all where somebody asks for a major compaction, even one file or many', () => {
    const asked = { ...BY_ITSELF, isByUser: true, major: true }
    expect(chosen(filesOf(5), small, asked)).toEqual([5, 'all'])
    expect(chosen(filesOf(5000, 1, 1, 1, 1, 1, 1), small, asked)).toEqual([5000, 1, 1, 1, 1, 1, 1, 'all'])
    expect(chosen([], small, asked)).toEqual([])
  })

  it('all once the last major compaction is long ago', () => {
    const old = filesOf(100, 1).map((file) => ({ ...file, createdAt: NOW - 11 * DAY }))
    expect(chosen(old)).toEqual([100, 1, 'all'])
    expect(chosen(old, rulesWith({ majorPeriodMs: 0 }))).toEqual([])
    expect(chosen(filesOf(100, 1).map((file) => ({ ...file, createdAt: NOW - 3 * DAY })))).toEqual([])
  })

  it('one file of a major compaction only where some of it has expired', () => {
    const [file] = filesOf(100)
    const only = { ...file!, createdAt: NOW - 30 * DAY, isOfMajorCompaction: true }
    expect(chosen([only])).toEqual([])
    expect(chosen([only], rulesWith(), { ...BY_ITSELF, expiredBefore: BigInt(NOW + 1) })).toEqual([
      100,
      'all',
    ])
    expect(chosen([{ ...only, isOfMajorCompaction: false }])).toEqual([100, 'all'])
  })

  it('lie side by side, are not too many, and are in ratio or small', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 1000 }), { maxLength: 20 })
    fc.assert(
      fc.property(sizes, (drawn) => {
        const rules = rulesWith({ blockingFiles: 100 })
        const files = filesOf(...drawn)
        const selection = selectFiles(files, rules, BY_ITSELF)
        if (selection === undefined) return
        const first = files.indexOf(selection.files[0]!)
        expect(selection.files).toEqual(files.slice(first, first + selection.files.length))
        expect(selection.files.length).toBeGreaterThanOrEqual(3)
        expect(selection.files.length).toBeLessThanOrEqual(10)
        const total = selection.files.reduce((sum, { bytes }) => sum + bytes, 0)
        const isInRatio = selection.files.every(({ bytes }) => bytes <= (total - bytes) * 1.2)
        expect(total < 10 || isInRatio).toBe(true)
      }),
    )
  })
})

it('each choice of neighbours adds one file to another, however many may go together', () => {
  const count = 400
  let looks = 0
  const files = filesOf(...Array.from({ length: count }, (_, i) => (i * 7919) % 1000)).map((file) => ({
    ...file,
    get bytes() {
      looks++
      return file.bytes
    },
  }))
  const selection = selectFiles(
    files,
    rulesWith({ filesMax: 1_000_000, blockingFiles: 1_000_000, ratio: 0.001 }),
    BY_ITSELF,
  )
  expect(selection).toBeUndefined()
  expect(looks).toBeLessThan(count * count)
})

it('files whose cells all have expired go, except the newest', () => {
  const files = filesOf(1, 2, 3).map((file, index) => ({ ...file, latest: BigInt(index) }))
  expect(expiredFiles(files, 1n)).toEqual([files[0]])
  expect(expiredFiles(files, 9n)).toEqual(files.slice(0, 2))
  expect(expiredFiles(files, undefined)).toEqual([])
})

it('a family, then its table, then the engine says how to compact', () => {
  const family = familyDescriptor('f', [['hbase.hstore.compaction.min', '4']])
  const table = tableDescriptor(
    parseTableName('t'),
    [family],
    [
      ['hbase.hstore.compaction.min', '5'],
      ['hbase.hstore.compaction.ratio', '2.5'],
      ['hbase.hstore.compaction.max', 'many'],
    ],
  )
  const rules = compactionRules(DEFAULT_COMPACTION_OPTIONS, table, family, 1000)
  expect(rules).toMatchObject({ filesMin: 4, ratio: 2.5, filesMax: 10, bytesMin: 1000, largeBytes: 20_000 })
})

describe('the files of another compaction of a store', () => {
  const rules = rulesWith({ filesMax: 3, ratio: 1 })
  const beside = (files: CandidateFile[], taken: readonly number[], with_ = rules): number[] | undefined =>
    selectBeside(files, ({ bytes }) => taken.includes(bytes), with_)?.files.map(({ bytes }) => bytes)

  it.each([
    ['are newer than those of the first one', [900, 800, 21, 22, 23], [900, 800], [21, 22, 23]],
    ['are newer than those of all others', [900, 21, 22, 23, 800, 31, 32, 33], [900, 800], [31, 32, 33]],
    ['are none where too few are newer', [900, 800, 700, 21, 22], [800, 700], undefined],
    ['are as many as may be', [900, 21, 22, 23, 24], [900], [21, 22, 23]],
    ['are in ratio', [900, 300, 22, 23], [900], undefined],
  ])('%s', (_, sizes, taken, expected) => {
    expect(beside(filesOf(...sizes), taken)).toEqual(expected)
  })

  it('are never all of the store', () => {
    const selection = selectBeside(filesOf(1, 2, 3), () => false, rules)
    expect(selection).toMatchObject({ isOfAll: false, isMajor: false })
  })

  it('are the smallest ones where the store is stuck', () => {
    const sizes = [900, 800, 300, 90, 30]
    expect(beside(filesOf(...sizes), [900, 800], rulesWith({ ratio: 0.1, blockingFiles: 4 }))).toEqual([
      300, 90, 30,
    ])
    expect(beside(filesOf(...sizes), [900, 800], rulesWith({ ratio: 0.1, blockingFiles: 5 }))).toBe(undefined)
  })

  it('have no halves', () => {
    const files = filesOf(900, 21, 22, 23).map((file) => ({ ...file, isHalf: file.bytes === 23 }))
    expect(beside(files, [900])).toBe(undefined)
  })
})
