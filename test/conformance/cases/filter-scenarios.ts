/** Filters, in every form that takes them. */

import type { Scenario } from '../suite/case.ts'
import { filterBytes } from './filter-bytes.ts'
import { filterCompare } from './filter-compare.ts'
import { filterJson } from './filter-json.ts'
import { filterMerge } from './filter-merge.ts'
import { filterWords } from './filter-words.ts'

export const FILTER_SCENARIOS: readonly Scenario[] = [
  filterCompare,
  filterWords,
  filterBytes,
  filterMerge,
  filterJson,
]
