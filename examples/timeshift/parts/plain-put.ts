/** A put without a time is of now: older than what lies in the far future, and so hidden behind it. */

import { ENTITY, family, LABEL, newCell, shown, valuesOf } from '../entity.ts'
import { shifted, year } from '../time.ts'
import type { TimePart } from './part.ts'

export const plainPut: TimePart = {
  question: 'What becomes of a label that is put without a time?',
  run: async ({ newTable, report }) => {
    const table = await newTable('timeshift_plain_put', [family('m')])
    await table.put([newCell(LABEL, 'house', shifted(2011))])
    await table.put([{ key: ENTITY, column: LABEL, $: 'castle' }])

    const columns = [LABEL]
    const newest = await table.get(ENTITY, { columns })
    const both = await table.get(ENTITY, { columns, v: 2 })
    const untilShift = await table.get(ENTITY, { columns, start: 1, end: year(3000) })
    report.say(`the newest: ${valuesOf(newest).join()}; two versions: ${valuesOf(both).join(', ')}`)
    report.check('it is hidden', valuesOf(newest), ['house'])
    report.check('behind the shifted one', valuesOf(both), ['house', 'castle'])
    report.check('a range that ends before the shift shows it', valuesOf(untilShift), ['castle'])

    await table.put([newCell(LABEL, 'castle', shifted(2014))])
    const changed = await table.get(ENTITY, { columns })
    report.some(changed.map(shown), 1)
    report.check('a label is changed by a put with a shifted time', valuesOf(changed), ['castle'])
  },
}
