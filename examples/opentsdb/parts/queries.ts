/** The queries over REST, each beside what the series themselves say. */

import { answerOver, QUERIES } from '../query.ts'
import type { TsdbPart } from './part.ts'

export const queries: TsdbPart = {
  question: 'What was the load, hour by hour?',
  run: async ({ tables, names, metric, expected, report }) => {
    for (const query of QUERIES) {
      const { answer } = await report.timed(
        ({ rows }) => `${query.name}: ${rows} rows`,
        () => answerOver(tables, names, metric, query),
      )
      const hours = [...answer.values()]
      report.say(`  ${hours.slice(0, 8).join(' ')} ... ${hours.at(-1)}`)
      report.check(`${query.name} brings what the series say`, [...answer], [...expected.get(query.name)!])
    }
  },
}
