/**
 * Labels change, too. What the row was in the past needs two ranges of time: one of figures, up to that year, and one of labels, up to that year
 * shifted. REST has one range for a get: two gets. Thrift 2 and native RPC have one for each family: one call.
 */

import { int64 } from '../../../test/harness/thrift-package.ts'
import { thriftClient } from '../../shared/thrift-client.ts'
import { ENTITY, family, LABEL, newCell, RATE, RATES, shown, valuesOf } from '../entity.ts'
import { type Result, valuesOfResults } from '../thrift-results.ts'
import { SHIFT, shifted, year } from '../time.ts'
import type { TimePart } from './part.ts'

const TABLE = 'timeshift_as_of'

export const asOf: TimePart = {
  question: 'What was its rate as of 2010, and what was it called then?',
  run: async ({ newTable, server, report }) => {
    const table = await newTable(TABLE, [family('t'), family('m')])
    await table.put(RATES.map(([number, rate]) => newCell(RATE, rate, year(number))))
    await table.put([newCell(LABEL, 'hut', shifted(2009)), newCell(LABEL, 'house', shifted(2011))])

    const end = year(2011)
    const gets = await report.timed(
      ({ length }) => `two gets over REST: ${length} cells`,
      async () => [
        ...(await table.get(ENTITY, { columns: [LABEL], start: SHIFT, end: end + SHIFT })),
        ...(await table.get(ENTITY, { columns: [RATE], start: 1, end })),
      ],
    )
    report.some(gets.map(shown), 5)

    const thrift = thriftClient('thrift2', server)
    const ranges = {
      t: { minStamp: int64(0n), maxStamp: int64(BigInt(end)) },
      m: { minStamp: int64(BigInt(SHIFT)), maxStamp: int64(BigInt(end + SHIFT)) },
    }
    const scan = { startRow: ENTITY, stopRow: `${ENTITY}\0`, colFamTimeRangeMap: ranges }
    const results = await report.timed(
      (found) => `one scan of the row over Thrift 2: ${valuesOfResults(found).length} cells`,
      async () => (await thrift.methods['getScannerResults']!(TABLE, scan, 1)) as Result[],
    )
    thrift.close()
    report.check('the hut of 2009, and the rate of 2010', valuesOf(gets), ['hut', '1.02'])
    report.check('in one call, too', valuesOfResults(results), ['hut', '1.02'])
  },
}
