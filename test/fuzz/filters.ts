/** Filters in their three forms: what is read is printed in each form, and made ready to be evaluated. */

import { createFilterEvaluator } from '../../src/filter/evaluate/create-evaluator.ts'
import { parseFilterJson } from '../../src/filter/json/parse-filter-json.ts'
import { printFilterJson } from '../../src/filter/json/print-filter-json.ts'
import { parseFilterString } from '../../src/filter/language/parse-filter-string.ts'
import { printFilterString } from '../../src/filter/language/print-filter-string.ts'
import { decodeFilter } from '../../src/filter/protobuf/decode-filter.ts'
import { encodeFilter } from '../../src/filter/protobuf/encode-filter.ts'
import { FILTER_PARTS_MAX } from '../../src/filter/schema/filter-parts.ts'
import { isHBaseError } from '../../src/model/errors.ts'
import type { Filter } from '../../src/model/filter.ts'
import type { FuzzTarget, KeptBytes } from '../harness/fuzz/fuzz-target.ts'
import { filterStrings } from './recorded-seeds.ts'

/** The filters that each form can print, from those of the recorded texts. */
function recordedFilters(): readonly Filter[] {
  return filterStrings().flatMap((text) => {
    try {
      return [parseFilterString(text)]
    } catch {
      return []
    }
  })
}

function use(filter: Filter): unknown {
  for (const print of [encodeFilter, printFilterJson, printFilterString]) print(filter)
  try {
    return [filter, createFilterEvaluator(filter, () => 0.5)]
  } catch (error) {
    // The filter was read, and an evaluator may refuse it later.
    if (isHBaseError(error)) return filter
    throw error
  }
}

/** A part of a filter takes two bytes of text, and some sixty as an object: FILTER_PARTS_MAX bounds the sum. */
const KEPT: KeptBytes = { base: FILTER_PARTS_MAX * 64, perByte: 8 }

export const filterString: FuzzTarget = {
  name: 'filter-string',
  kept: KEPT,
  seeds: filterStrings,
  run: (input) => use(parseFilterString(input)),
}

export const filterJson: FuzzTarget = {
  name: 'filter-json',
  kept: KEPT,
  seeds: () => recordedFilters().flatMap((filter) => Buffer.from(printFilterJson(filter) ?? '{}')),
  run: (input) => use(parseFilterJson(input.toString())),
}

export const filterProtobuf: FuzzTarget = {
  name: 'filter-protobuf',
  seeds: () => recordedFilters().map((filter) => Buffer.from(encodeFilter(filter))),
  run: (input) => use(decodeFilter(input)),
}
