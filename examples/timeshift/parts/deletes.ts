/** A deletion without a time hides what is not newer than now: not what lies in the far future. */

import { int64 } from '../../../test/harness/thrift-package.ts'
import type { RestTable } from '../../shared/rest-table.ts'
import { thriftClient } from '../../shared/thrift-client.ts'
import { ENTITY, family, LABEL, newCell, RATE, valuesOf } from '../entity.ts'
import { shifted, year } from '../time.ts'
import type { Part, Workplace } from './part.ts'

const TABLE = 'timeshift_deletes'
const DELETE_COLUMN = 0

/** Each deletion of a row whose label is shifted and whose rate is not, and whether the label is still there. */
async function deletions({ server }: Workplace, table: RestTable) {
  const thrift1 = thriftClient('thrift1', server)
  const thrift2 = thriftClient('thrift2', server)
  const [family, qualifier] = LABEL.split(':')
  const newest = { row: ENTITY, columns: [{ family, qualifier }], deleteType: DELETE_COLUMN }
  const cases: readonly (readonly [name: string, stays: boolean, run: () => Promise<unknown>])[] = [
    ['REST, the row', true, () => table.delete(ENTITY)],
    ['REST, the family', true, () => table.delete(ENTITY, ['m'])],
    ['REST, the column', true, () => table.delete(ENTITY, [LABEL])],
    ['Thrift 1, deleteAllRow', true, () => thrift1.methods['deleteAllRow']!(TABLE, ENTITY, {})],
    ['Thrift 1, deleteAll', true, () => thrift1.methods['deleteAll']!(TABLE, ENTITY, LABEL, {})],
    ['REST, the column with its time', false, () => table.deleteUpTo(ENTITY, LABEL, shifted(2011))],
    [
      'Thrift 1, deleteAllTs with its time',
      false,
      () => thrift1.methods['deleteAllTs']!(TABLE, ENTITY, LABEL, int64(BigInt(shifted(2011))), {}),
    ],
    ['Thrift 2, the newest version', false, () => thrift2.methods['deleteSingle']!(TABLE, newest)],
  ]
  const close = (): void => {
    thrift1.close()
    thrift2.close()
  }
  return { cases, close }
}

export const deletes: Part = {
  question: 'What does it take to delete a label that lies in the far future?',
  run: async (workplace) => {
    const { report, newTable } = workplace
    const table = await newTable(TABLE, [family('t'), family('m')])
    const { cases, close } = await deletions(workplace, table)
    for (const [name, stays, run] of cases) {
      await table.put([newCell(RATE, '1.09', year(2013)), newCell(LABEL, 'house', shifted(2011))])
      await run()
      const left = valuesOf(await table.get(ENTITY, { columns: [LABEL] }))
      report.check(`${name}: it ${stays ? 'stays' : 'goes'}`, left, stays ? ['house'] : [])
    }
    close()
  },
}
