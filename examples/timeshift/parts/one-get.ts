/** Figures stand at their years, the label 50,000 years later: a range of time from some year to the end has both. */

import { ENTITY, family, LABEL, newCell, RATE, RATES, shown, valuesOf } from '../entity.ts'
import { END_OF_TIME, shifted, year } from '../time.ts'
import type { TimePart } from './part.ts'

export const oneGet: TimePart = {
  question: 'What are the latest rates of the entity, and what is it called?',
  run: async ({ newTable, report }) => {
    const table = await newTable('timeshift_one_get', [family('t'), family('m')])
    await table.put(RATES.map(([number, rate]) => newCell(RATE, rate, year(number))))
    await table.put([newCell(LABEL, 'house', shifted(2011))])

    const get = (end: string | number) =>
      report.timed(
        ({ length }) => `GET .../${ENTITY}/${RATE},${LABEL}/${year(2012)},${end}?v=100: ${length} cells`,
        () => table.get(ENTITY, { columns: [RATE, LABEL], start: year(2012), end, v: 100 }),
      )
    const twoYears = await get(year(2014))
    report.some(twoYears.map(shown), 5)
    const both = await get(END_OF_TIME)
    report.some(both.map(shown), 5)
    report.check('two years have two rates', valuesOf(twoYears), ['1.09', '0.87'])
    report.check('to the end of time the same get has the label, too', valuesOf(both), [
      'house',
      '1.09',
      '0.87',
    ])
    report.check('the label is of the year 52011, to the millisecond', both[0]?.timestamp, 1579141440000000)
  },
}
