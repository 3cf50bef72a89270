/** A deletion without a time hides what is not newer than now: not what lies in the far future. */

import { int64 } from '../../../test/harness/thrift-package.ts'
import type { RestTable } from '../../shared/rest-table.ts'
import { type ThriftClient, thriftClient } from '../../shared/thrift-client.ts'
import { family, LABEL, newCell, RATE, valuesOf } from '../entity.ts'
import { shifted, year } from '../time.ts'
import type { TimePart } from './part.ts'

const TABLE = 'timeshift_deletes'
const LABEL_TIME = shifted(2011)

/** Of Thrift 2's TDeleteType: the newest version alone. */
const DELETE_COLUMN = 0

interface Deletion {
  readonly by: string
  /** Whether the label is there after it. */
  readonly stays: boolean
  readonly run: (row: string) => Promise<unknown>
}

function overRest(table: RestTable): Deletion[] {
  return [
    { by: 'REST, the row', stays: true, run: (row) => table.delete(row) },
    { by: 'REST, the family', stays: true, run: (row) => table.delete(row, ['m']) },
    { by: 'REST, the column', stays: true, run: (row) => table.delete(row, [LABEL]) },
    {
      by: 'REST, the column with its time',
      stays: false,
      run: (row) => table.deleteUpTo(row, LABEL, LABEL_TIME),
    },
  ]
}

function overThrift1({ methods }: ThriftClient): Deletion[] {
  const time = int64(BigInt(LABEL_TIME))
  return [
    { by: 'Thrift 1, deleteAllRow', stays: true, run: (row) => methods['deleteAllRow']!(TABLE, row, {}) },
    { by: 'Thrift 1, deleteAll', stays: true, run: (row) => methods['deleteAll']!(TABLE, row, LABEL, {}) },
    {
      by: 'Thrift 1, deleteAllTs with its time',
      stays: false,
      run: (row) => methods['deleteAllTs']!(TABLE, row, LABEL, time, {}),
    },
  ]
}

function overThrift2({ methods }: ThriftClient): Deletion[] {
  const [family, qualifier] = LABEL.split(':')
  const newest = { columns: [{ family, qualifier }], deleteType: DELETE_COLUMN }
  const run = (row: string): Promise<unknown> => methods['deleteSingle']!(TABLE, { row, ...newest })
  return [{ by: 'Thrift 2, the newest version', stays: false, run }]
}

export const deletes: TimePart = {
  question: 'What does it take to delete a label that lies in the far future?',
  run: async ({ server, newTable, report }) => {
    const table = await newTable(TABLE, [family('t'), family('m')])
    const [thrift1, thrift2] = [thriftClient('thrift1', server), thriftClient('thrift2', server)]
    const deletions = [...overRest(table), ...overThrift1(thrift1), ...overThrift2(thrift2)]
    for (const [i, { by, stays, run }] of deletions.entries()) {
      // A row for each: a deletion also hides what is put after it, at or before its time.
      const row = `e${i}`
      await table.put([newCell(RATE, '1.09', year(2013), row), newCell(LABEL, 'house', LABEL_TIME, row)])
      await run(row)
      const left = valuesOf(await table.get(row, { columns: [LABEL] }))
      report.check(`${by}: it ${stays ? 'stays' : 'goes'}`, left, stays ? ['house'] : [])
    }
    thrift1.close()
    thrift2.close()
  },
}
