/**
 * Without the shift: labels at their own time, in a family of their own. A range of time then loses labels that are older, unless it is
 * only the other family's. That takes a client of Thrift 2 or native RPC, and is all that the shift would bring.
 */

import { int64 } from '../../../test/harness/thrift-package.ts'
import { thriftClient } from '../../shared/thrift-client.ts'
import { ENTITY, family, LABEL, newCell, RATE, RATES, valuesOf } from '../entity.ts'
import { type Result, valuesOfResults } from '../thrift-results.ts'
import { END_OF_TIME, year } from '../time.ts'
import type { TimePart } from './part.ts'

const TABLE = 'timeshift_own_family'

export const ownFamily: TimePart = {
  question: 'Does a family of its own do without the shift?',
  run: async ({ newTable, server, report }) => {
    const table = await newTable(TABLE, [family('t'), family('m')])
    await table.put(RATES.map(([number, rate]) => newCell(RATE, rate, year(number))))
    await table.put([newCell(LABEL, 'house', year(2011))])

    const start = year(2012)
    const get = await table.get(ENTITY, { columns: [RATE, LABEL], start, end: END_OF_TIME, v: 100 })
    report.say(`one get from 2012 on, over REST: ${valuesOf(get).join(', ')}`)

    const thrift = thriftClient('thrift2', server)
    const ranges = { t: { minStamp: int64(BigInt(start)), maxStamp: int64(BigInt(END_OF_TIME)) } }
    const scan = { startRow: ENTITY, stopRow: `${ENTITY}\0`, maxVersions: 100, colFamTimeRangeMap: ranges }
    const results = (await thrift.methods['getScannerResults']!(TABLE, scan, 1)) as Result[]
    thrift.close()
    report.say(`a range for the family t alone, over Thrift 2: ${valuesOfResults(results).join(', ')}`)
    report.check('one range for both loses the label', valuesOf(get), ['1.09', '0.87'])
    report.check('one for the rates alone does not', valuesOfResults(results), ['house', '1.09', '0.87'])
  },
}
