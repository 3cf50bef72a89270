import type { CurrentContent } from '../own-tables/current-content.ts'
import type { LabelBook } from './label-book.ts'

/** The present labels. */
export type CurrentLabels = CurrentContent<LabelBook>
