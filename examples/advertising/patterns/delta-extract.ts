/** The changes since the last extract: a scan of a time range. The end of one extract is the beginning of the next. */

import { counted } from '../../shared/report.ts'
import { keysOf, shown } from '../ad-tables.ts'
import { TABLES } from '../tables.ts'
import { CHANGED, CHANGED_LATER, HOUR, makeChanges } from './changes.ts'
import type { Pattern } from './pattern.ts'

export const deltaExtract: Pattern = {
  question: 'Which ads have changed in an hour, and which in the next?',
  run: async (loaded) => {
    const { tables, report } = loaded
    const { from, to } = await makeChanges(loaded)
    const extract = async (startTime: number, endTime: number): Promise<string[]> => {
      const delta = await report.timed(
        ({ length }) => counted(length, 'row'),
        () => tables.of(TABLES.ad).scan({ startTime, endTime }),
      )
      report.some(delta.map(shown), 5)
      return keysOf(delta)
    }
    const hour = await extract(from, to)
    const next = await extract(to, to + HOUR)
    report.check('a change at the beginning counts, one at the end does not', hour, CHANGED)
    report.check('the next extract has that one', next, CHANGED_LATER)
  },
}
