/** Rows as they lie in HBase, and what they mean. */

import { describedCell, describedKey } from '../described.ts'
import { DAY_START } from '../series.ts'
import type { TsdbPart } from './part.ts'

export const rawRows: TsdbPart = {
  question: 'What lies in the table?',
  run: async ({ tables, names, metric, series, report }) => {
    // The first machine has times between seconds, and so qualifiers of 4 bytes; the second has whole seconds, and 2 bytes.
    for (const host of ['web01', 'web02']) {
      const { tags, points } = series.find(({ tags }) => tags['host'] === host)!
      const key = names.rowKey({ metric, hour: DAY_START, tags })
      const cells = await tables.points.scan({ startRow: key, endRow: `${key}\0` })
      report.say(describedKey(key, names))
      report.some(cells.map(describedCell), 3)
      const [cell] = cells
      report.check(
        `the first point of ${host}`,
        describedCell(cell!).endsWith(` = ${points[0]!.value}`),
        true,
      )
      report.check('its qualifier', cell!.column.length - 't:'.length, host === 'web01' ? 4 : 2)
    }
  },
}
