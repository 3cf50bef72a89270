import { type LocalReads, orAskStore } from '../../../store/port/thread-store.ts'
import type { Subjects } from '../access/permissions/subject.ts'
import { type ChangeCount, CurrentContent } from '../own-tables/current-content.ts'
import type { LabelSettings } from './label-settings.ts'
import { labelledReads } from './labelled-reads.ts'
import { readLabels } from './labels-table.ts'

export interface LabelsOfReads {
  readonly subjects: Subjects
  readonly settings: LabelSettings
  /** The count that the main thread raises. */
  readonly changes: ChangeCount
}

/** The reads of a thread, limited by labels as withVisibilityLabels limits those of the main thread. `own`: the same reads before any policy. */
export function readsByLabels(
  reads: LocalReads,
  own: Pick<LocalReads, 'rows' | 'handouts'>,
  { subjects, settings, changes }: LabelsOfReads,
): LocalReads {
  const current = new CurrentContent(() => orAskStore(() => readLabels(own)), { changes })
  return { ...reads, rows: labelledReads({ rows: reads.rows, subjects, current, settings }) }
}
