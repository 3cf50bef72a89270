/** A server, or a table, may refuse cells that are dated much later than now. Shifted cells are. */

import { ENTITY, family, LABEL, newCell, RATE, valuesOf } from '../entity.ts'
import { shifted, year } from '../time.ts'
import type { TimePart } from './part.ts'

const SLOP = 'hbase.hregion.keyvalue.timestamp.slop.millisecs'
const HOUR = 3_600_000

export const slop: TimePart = {
  question: `What does ${SLOP} do?`,
  run: async ({ newTable, report }) => {
    const table = await newTable('timeshift_slop', [family('t'), family('m')], { [SLOP]: String(HOUR) })
    await table.put([newCell(RATE, '1.09', year(2013))])
    const refused = await table.put([newCell(LABEL, 'house', shifted(2011))]).then(
      () => 'taken',
      (error: Error) => error.message,
    )
    const found = valuesOf(await table.get(ENTITY, { v: 100 }))
    report.say(`the label, put to a table of ${HOUR} ms: ${refused}; the row: ${found.join(', ')}`)
    report.check('the shifted label is refused, the rate is not', found, ['1.09'])
    report.check('and its writer gets an error', refused === 'taken', false)
  },
}
