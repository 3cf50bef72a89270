/** Filters, in every form that Tidegate reads. */

import type { Scenario } from '../runner/case.ts'
import { filterBytes } from './filter-bytes.ts'
import { filterCompare } from './filter-compare.ts'
import { filterExamples } from './filter-examples.ts'
import { filterJson } from './filter-json.ts'
import { filterMerge } from './filter-merge.ts'
import { filterRegex } from './filter-regex.ts'
import { filterRest } from './filter-rest.ts'
import { filterWords } from './filter-words.ts'

export const FILTER_SCENARIOS: readonly Scenario[] = [
  filterCompare,
  filterWords,
  filterBytes,
  filterMerge,
  filterJson,
  filterRest,
  filterRegex,
  filterExamples,
]
