import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CandidateFile, SelectionRequest } from '../../../../adapters/native/compact/candidate-file.ts'
import {
  type CompactionRules,
  compactionRules,
} from '../../../../adapters/native/compact/compaction-rules.ts'
import { selectFiles } from '../../../../adapters/native/compact/file-selection.ts'
import { TimeWindow } from '../../../../adapters/native/compact/time-window.ts'
import { DEFAULT_COMPACTION_OPTIONS } from '../../../../adapters/native/options/compaction-options.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'

const FAMILY = familyDescriptor('f')
const TABLE = tableDescriptor(parseTableName('t'), [FAMILY])

/** HBase: AbstractTestDateTieredCompactionPolicy. */
const AS_TESTED: Partial<CompactionRules> = {
  choice: 'by time',
  windowMs: 6,
  windowsPerTier: 4,
  fileAgeMaxMs: 100,
  tierAgeMaxMs: 100,
  incomingFilesMin: 3,
  filesMin: 2,
  filesMax: 12,
  ratio: 1.2,
  bytesMin: 10,
  bytesMax: 1000,
  isSingleOutput: false,
  majorPeriodMs: 0,
  blockingFiles: 20,
}

function rulesWith(changes: Partial<CompactionRules> = {}): CompactionRules {
  return { ...compactionRules(DEFAULT_COMPACTION_OPTIONS, TABLE, FAMILY, 10), ...AS_TESTED, ...changes }
}

function filesOf(earliest: number[], latest: number[], sizes: number[]): CandidateFile[] {
  return sizes.map((bytes, index) => ({
    number: index + 1,
    bytes,
    createdAt: 0,
    isOfMajorCompaction: false,
    earliest: BigInt(earliest[index]!),
    latest: BigInt(latest[index]!),
  }))
}

const zeros = (count: number): number[] => Array.from({ length: count }, () => 0)

function chosen(
  files: CandidateFile[],
  now: number,
  rules = rulesWith(),
  more: Partial<SelectionRequest> = {},
): { sizes: number[]; boundaries: readonly bigint[] } | undefined {
  const request = { isByUser: false, major: false, now, expiredBefore: undefined, ...more }
  const selection = selectFiles(files, rules, request)
  if (selection === undefined) return undefined
  return { sizes: selection.files.map(({ bytes }) => bytes), boundaries: selection.boundaries ?? [0n] }
}

const minor = (latest: number[], sizes: number[], now: number, rules = rulesWith()): unknown =>
  chosen(filesOf(zeros(sizes.length), latest, sizes), now, rules)

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1)

describe('files chosen by time', () => {
  const sizes = [30, 31, 32, 33, 34, 20, 21, 22, 23, 24, 25, 10, 11, 12, 13]
  const far = [44, 60, 61, 96, 100, 104, 120, 124, 143, 145, 157]
  // The cases of HBase's TestDateTieredCompactionPolicy.
  it.each<[string, number, number[], number[], number[], bigint[]]>([
    ['of the incoming window', 16, upTo(15), sizes, [10, 11, 12, 13], [0n, 12n]],
    [
      'of the window before, where it has too few',
      16,
      upTo(13),
      sizes.slice(0, 13),
      [20, 21, 22, 23, 24, 25],
      [0n, 6n],
    ],
    ['at its upper bound', 16, [...upTo(14), 18], sizes, [10, 11, 12, 13], [0n, 12n]],
    ['newer than it', 16, [...upTo(14), 19], sizes, [10, 11, 12, 13], [0n, 12n]],
    ['of a longer window', 194, [44, 60, 61, 97, 100, 193], [0, 20, 21, 22, 23, 1], [22, 23], [0n, 96n]],
    ['of the first tier', 161, far, [0, 50, 51, 40, 41, 42, 30, 31, 32, 2, 1], [30, 31, 32], [0n, 120n]],
    ['in ratio', 16, upTo(12), [30, 31, 32, 33, 34, 20, 21, 22, 280, 23, 24, 1], [20, 21, 22], [0n]],
    ['in ratio, of the first tier', 161, far, [0, 50, 51, 40, 41, 42, 350, 30, 31, 2, 1], [30, 31], [0n]],
    [
      'in ratio, the next time',
      16,
      [1, 2, 3, 4, 5, 8, 9, 10, 11, 12],
      [30, 31, 32, 33, 34, 22, 280, 23, 24, 1],
      [23, 24],
      [0n],
    ],
    [
      'not of too great an age',
      161,
      [44, 60, 61, 96, 100, 104, 105, 106, 113, 145, 157],
      [0, 50, 51, 40, 41, 42, 33, 30, 31, 2, 1],
      [40, 41, 42, 33, 30, 31],
      [0n, 96n],
    ],
    [
      'out of order, with newer ones',
      16,
      [0, 13, 3, 10, 11, 1, 2, 12, 14, 15],
      [30, 31, 32, 33, 34, 22, 28, 23, 24, 1],
      [31, 32, 33, 34, 22, 28, 23, 24, 1],
      [0n, 12n],
    ],
  ])('are those %s', (_, now, latest, given, expected, boundaries) => {
    expect(minor(latest, given, now)).toEqual({ sizes: expected, boundaries })
  })

  it('leave windows of a greater age alone', () => {
    const rules = rulesWith({ fileAgeMaxMs: 5 })
    expect(minor([0, 1, 2, 3], [30, 31, 32, 33], 100, rules)).toBeUndefined()
  })

  it('make one file, where that is wished', () => {
    const rules = rulesWith({ isSingleOutput: true })
    expect(minor(upTo(15), sizes, 16, rules)).toEqual({ sizes: [10, 11, 12, 13], boundaries: [0n] })
  })

  it('of a major compaction are all, and become one of each window', () => {
    const latest = [44, 60, 61, 96, 100, 104, 105, 106, 113, 145, 157]
    const sizes = [0, 50, 51, 40, 41, 42, 33, 30, 31, 2, 1]
    const all = chosen(filesOf(zeros(11), latest, sizes), 161, rulesWith(), { isByUser: true, major: true })
    expect(all).toEqual({ sizes, boundaries: [0n, 24n, 48n, 72n, 96n, 120n, 144n, 150n, 156n] })
  })

  it('of a major compaction by itself: once there is a new file, or one spans windows', () => {
    const rules = rulesWith({ majorPeriodMs: 10, majorJitter: 0 })
    const old = filesOf([0, 7], [5, 11], [5, 100]).map((file) => ({ ...file, isOfMajorCompaction: true }))
    expect(chosen(old, 13, rules)).toBeUndefined()
    expect(chosen([old[0]!, { ...old[1]!, isOfMajorCompaction: false }], 13, rules)?.sizes).toEqual([5, 100])
    expect(chosen([old[0]!, { ...old[1]!, earliest: 3n }], 13, rules)?.sizes).toEqual([5, 100])
    expect(chosen([old[0]!, { ...old[1]!, latest: 5n, earliest: 3n }], 13, rules)?.sizes).toEqual([5, 100])
  })
})

it('windows of a millisecond that never grow are not walked through back to 1970', () => {
  const now = 1_700_000_000_000
  const rules = rulesWith({
    windowMs: 1,
    windowsPerTier: 1,
    fileAgeMaxMs: Number.POSITIVE_INFINITY,
    tierAgeMaxMs: Number.POSITIVE_INFINITY,
    majorPeriodMs: 1,
  })
  const files = filesOf([0, 0, 0], [1, 1, 1], [10, 10, 10])
  const request = { isByUser: false, major: false, now, expiredBefore: undefined }
  expect(selectFiles(files, { ...rules, majorPeriodMs: 0 }, request)).toBeUndefined()
  const { boundaries } = selectFiles(files, rules, { ...request, isByUser: true, major: true })!
  expect(boundaries!.length).toBeLessThan(30_000)
  expect(boundaries![0]).toBe(0n)
})

it('windows cover all time before now, without gaps', () => {
  const anyRules = fc.record({
    windowMs: fc.integer({ min: 1, max: 50 }),
    windowsPerTier: fc.integer({ min: 1, max: 5 }),
    tierAgeMaxMs: fc.constantFrom(0, 100, Infinity),
  })
  fc.assert(
    fc.property(anyRules, fc.nat({ max: 2000 }), (changes, now) => {
      let window = TimeWindow.incoming(rulesWith(changes), now)
      for (let time = now; time >= 0; time--) {
        if (window.compareTo(time) > 0) {
          if (window.start !== time + 1) return false
          window = window.earlier()
        }
        if (window.compareTo(time) !== 0) return false
      }
      return true
    }),
  )
})
