import { EMPTY } from '../../../../src/model/bytes.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { inOrder, keyValue, type StoredCell, stored } from './cells.ts'

/** Tag type 8, a time to live of 100 years of milliseconds. */
const TTL_TAG = Buffer.from('000908000002de41353000', 'hex')

/** The cells of the fixtures, as hbase-files.test.ts describes them. */
export function expectedCells(): StoredCell[] {
  const cells: StoredCell[] = []
  for (let i = 0; i < 60; i++) {
    const row = `row${String(i).padStart(3, '0')}`
    const tags = i % 10 === 3 ? TTL_TAG : EMPTY
    const empty = keyValue(row, '', 1000n + BigInt(i), CellType.Put, `empty qualifier ${i}`)
    const q = keyValue(row, 'q', 2000n + BigInt(i), CellType.Put, `value ${i}`)
    // A flush leaves out cells that tombstones hide.
    if (i !== 6) cells.push(stored(empty, 4 + i, tags))
    if (i !== 8) cells.push(stored(q, 4 + i, tags))
  }
  const odd = Buffer.from('ff00fe', 'hex')
  const put = (qualifier: string | Buffer, timestamp: bigint, value: string): StoredCell =>
    stored(keyValue(odd, qualifier, timestamp, CellType.Put, value), 64)
  cells.push(put(Buffer.from('0080ff', 'hex'), 2n ** 63n - 2n, ''), put('t', 1n, 'one'))
  cells.push(put('t', 1579132800000000000n, 'nanoseconds'), put('t', 9007199254740993n, '2^53+1'))
  cells.push(stored(keyValue('row005', '', 500n, CellType.DeleteFamily, ''), 65))
  cells.push(stored(keyValue('row006', '', 1006n, CellType.DeleteFamilyVersion, ''), 66))
  cells.push(stored(keyValue('row007', 'q', 700n, CellType.DeleteColumn, ''), 67))
  cells.push(stored(keyValue('row008', 'q', 2008n, CellType.Delete, ''), 68))
  cells.push(stored(keyValue('row050', 'large', 3000n, CellType.Put, 'x'.repeat(3000)), 69))
  return inOrder(cells)
}

/** Cells with more different tags than a block's dictionary takes; some come again and again, others seldom. */
export function manyTags(): StoredCell[] {
  return Array.from({ length: 500 }, (_, i) => {
    const number = [i % 5, i % 90, i % 300, 1000 + i][i % 4]!
    return stored(keyValue(`row${1000 + i}`), i, Buffer.of(0, 4, 65, 7, number >>> 8, number & 0xff))
  })
}
