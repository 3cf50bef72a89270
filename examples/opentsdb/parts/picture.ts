/** The answers as lines, and beside them rows as they lie in the table. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { lineChart } from '../../shared/line-chart.ts'
import { describedCell, describedKey } from '../described.ts'
import { answerOver, QUERIES } from '../query.ts'
import { DAY_START } from '../series.ts'
import type { TsdbPart } from './part.ts'

const ROWS_SHOWN = 4

export const picture: TsdbPart = {
  question: 'What does it look like?',
  run: async ({ tables, names, metric, series, svg, report }) => {
    const lines = []
    for (const query of QUERIES) {
      const { answer } = await answerOver(tables, names, metric, query)
      lines.push({ name: query.name, values: [...answer.values()] })
    }
    const notes: string[] = []
    for (const { tags } of series.filter((_, i) => i % 61 === 0).slice(0, ROWS_SHOWN)) {
      const key = names.rowKey({ metric, hour: DAY_START, tags })
      const cells = await tables.points.scan({ startRow: key, endRow: `${key}\0` })
      notes.push(describedKey(key, names), ...cells.slice(0, 3).map(describedCell), '')
    }
    mkdirSync(dirname(svg), { recursive: true })
    writeFileSync(svg, lineChart({ title: `sum:1h-max:${metric}, 2013-01-01`, lines, notes }))
    report.say(`drawn: ${svg}`)
    report.check(
      'a line for each query, a point for each hour',
      lines.map(({ values }) => values.length),
      [24, 24, 24, 24],
    )
  },
}
