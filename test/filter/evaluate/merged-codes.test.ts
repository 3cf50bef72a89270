import { expect, test } from 'vitest'
import { FilterCode } from '../../../src/filter/evaluate/filter-code.ts'
import { codeIfAllMustPass, codeIfOneMustPass } from '../../../src/filter/evaluate/merged-codes.ts'

const { Include, IncludeAndNextColumn, IncludeAndSeekNextRow, NextColumn, NextRow, SeekNextUsingHint, Skip } =
  FilterCode
const CODES = [
  Include,
  IncludeAndNextColumn,
  IncludeAndSeekNextRow,
  Skip,
  NextColumn,
  NextRow,
  SeekNextUsingHint,
]
const [I, IC, IR, S, C, R, H] = CODES as [FilterCode, ...FilterCode[]]

/** The table in the comment of FilterListWithAND.mergeReturnCode; rows and columns as CODES. */
const ALL = [
  [I, IC, IR, S, C, R, H],
  [IC, IC, IR, C, C, R, H],
  [IR, IR, IR, R, R, R, H],
  [S, C, R, S, C, R, H],
  [C, C, R, C, C, R, H],
  [R, R, R, R, R, R, H],
  [H, H, H, H, H, H, H],
]
/** The table in the comment of FilterListWithOR.mergeReturnCode. */
const ONE = [
  [I, I, I, I, I, I, I],
  [I, IC, IC, I, IC, IC, I],
  [I, IC, IR, I, IC, IR, I],
  [I, I, I, S, S, S, S],
  [I, IC, IC, S, C, C, S],
  [I, IC, IR, S, C, R, S],
  [I, I, I, S, S, S, H],
]

test.each([
  ['all must pass', codeIfAllMustPass, ALL],
  ['one must pass', codeIfOneMustPass, ONE],
] as const)('codes of a list of which %s', (_, merge, table) => {
  expect(CODES.map((local) => CODES.map((code) => merge(code, local)))).toEqual(table)
})
