/** Puts and deletes as structs of Thrift 2. The functions throw UNSUPPORTED for changes that Thrift 2 cannot express. */

import { type CellParts, CellType } from '../../../src/model/cell.ts'
import { type CellBlock, CellCursor, cellsOf } from '../../../src/model/cell-block.ts'
import type { MutationOptions } from '../../../src/model/mutation.ts'
import { LATEST_TIMESTAMP } from '../../../src/model/timestamp.ts'
import { DURABILITIES } from '../../../src/wire/thrift/put-reader.ts'
import type { PutFields } from '../../../src/wire/thrift/puts-writer.ts'
import { beyondProtocol } from '../reach/beyond-protocol.ts'
import { pairsOf } from './query-structs.ts'
import { THRIFT_REACH } from './thrift-server.ts'

type Struct = Readonly<Record<string, unknown>>

/** HBase: Mutation.OP_ATTRIBUTE_TTL, whose value is milliseconds in eight bytes. */
const TTL_ATTRIBUTE = Buffer.from('_ttl')
/** TDeleteType by types of cells. PERSISTED: never renumber. */
const DELETE_TYPES: ReadonlyMap<number, number> = new Map([
  [CellType.Delete, 0],
  [CellType.DeleteColumn, 1],
  [CellType.DeleteFamily, 2],
  [CellType.DeleteFamilyVersion, 3],
])

export function fieldsOf({ durability, ttlMs, tags, attributes }: MutationOptions): PutFields {
  if (tags !== undefined) throw beyondProtocol(THRIFT_REACH, 'a tag of cells')
  const pairs = [...pairsOf(attributes)]
  if (ttlMs !== undefined) {
    const value = Buffer.alloc(8)
    value.writeBigInt64BE(BigInt(ttlMs))
    pairs.push([TTL_ATTRIBUTE, value])
  }
  return { durability: DURABILITIES.indexOf(durability), ...(pairs.length > 0 && { attributes: pairs }) }
}

/** The kinds of changes in a block of cells. */
export type Contents = 'nothing' | 'puts' | 'deletes' | 'both'

export function contentsOf(block: CellBlock): Contents {
  const cursor = new CellCursor(block)
  let [puts, deletes] = [false, false]
  while (cursor.next()) {
    if (cursor.type === CellType.Put) puts = true
    else deletes = true
  }
  if (puts && deletes) return 'both'
  return deletes ? 'deletes' : puts ? 'puts' : 'nothing'
}

/** The changes of one row in their order: each a TMutation. */
export function tmutations(block: CellBlock, options: MutationOptions): Struct[] {
  const mutations: Struct[] = []
  const run: CellParts[] = []
  const flush = (): void => {
    if (run.length === 0) return
    if (run[0]!.type === CellType.Put) mutations.push({ put: tput(run, options) })
    else mutations.push(...tdeletesOf(run, options).map((deleteSingle) => ({ deleteSingle })))
    run.length = 0
  }
  for (const cell of cellsOf(block)) {
    if (run.length > 0 && (run[0]!.type === CellType.Put) !== (cell.type === CellType.Put)) flush()
    run.push(cell)
  }
  flush()
  return mutations
}

function tput(cells: readonly CellParts[], options: MutationOptions): Struct {
  const columnValues = cells.map(({ family, qualifier, value, timestamp }) => ({
    family,
    qualifier,
    value,
    ...(timestamp !== LATEST_TIMESTAMP && { timestamp }),
  }))
  return { row: cells[0]!.row, columnValues, ...fieldsOf(options) }
}

/** The deletes of one row: each a TDelete. */
export function tdeletes(block: CellBlock, options: MutationOptions): Struct[] {
  return tdeletesOf(cellsOf(block), options)
}

/**
 * Deletes of columns of one type go together. Each delete of a family is a struct of its own: HBase carries out only the last of several
 * deletes of one family in a struct, and ignores its columns.
 */
function tdeletesOf(cells: readonly CellParts[], options: MutationOptions): Struct[] {
  const common = { row: cells[0]!.row, ...fieldsOf(options) }
  const deletes: Struct[] = []
  const columnsByType = new Map<number, Struct[]>()
  for (const cell of cells) {
    const { type, family, timestamp } = cell
    const at = timestamp === LATEST_TIMESTAMP ? {} : { timestamp }
    if (family.length === 0) {
      if (type !== CellType.DeleteFamily)
        throw beyondProtocol(THRIFT_REACH, 'a delete of one timestamp of a row')
      deletes.push({ ...common, ...at })
    } else if (type === CellType.DeleteFamily) {
      deletes.push({ ...common, columns: [{ family, ...at }], deleteType: DELETE_TYPES.get(type)! })
    } else {
      const columns = columnsByType.get(type)
      if (columns === undefined) columnsByType.set(type, [tcolumn(cell)])
      else columns.push(tcolumn(cell))
    }
  }
  for (const [type, columns] of columnsByType)
    deletes.push({ ...common, columns, deleteType: DELETE_TYPES.get(type)! })
  return deletes
}

function tcolumn({ type, family, qualifier, timestamp }: CellParts): Struct {
  // A delete of the newest version of a column, or of all, has no timestamp. A delete of one version of a family always has one.
  if (type === CellType.DeleteFamilyVersion) return { family, timestamp }
  return { family, qualifier, ...(timestamp !== LATEST_TIMESTAMP && { timestamp }) }
}
