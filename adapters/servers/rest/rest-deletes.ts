/**
 * Deletes over REST. A DELETE names columns and families, and deletes all of their versions up to one timestamp. The deletion of one version
 * is a delete under a condition that always holds: that a column with a random name is absent.
 */

import { randomBytes } from 'node:crypto'
import { EMPTY } from '../../../src/model/bytes.ts'
import { type CellParts, CellType } from '../../../src/model/cell.ts'
import { blockOf, type CellBlock, cellsOf } from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { LATEST_TIMESTAMP } from '../../../src/model/timestamp.ts'
import type { Call } from '../../../src/store/call.ts'
import { beyondProtocol } from '../reach/beyond-protocol.ts'
import { cellSet } from './cell-set-body.ts'
import { decodesKeys, encodedPath, keyNotSent, plainPath } from './key-paths.ts'
import type { RestCatalog } from './rest-catalog.ts'
import { REST_REACH, type RestServer } from './rest-server.ts'

/** The parts that send deletes. */
export interface Sending {
  readonly server: RestServer
  readonly catalog: RestCatalog
  /** Sends a cell set with `?check=...`. False where the condition did not hold. */
  send(table: TableName, query: string, body: Buffer, call: Call): Promise<boolean>
  /** The error, or its reason where the server's answer has none. */
  withReason(table: TableName, error: unknown, call: Call): Promise<unknown>
}

/** Bytes of a random name, which no column has. */
const ABSENT_BYTES = 18

/** Deletes the cells that the markers of one row name. Throws UNSUPPORTED before anything is sent. */
export async function deleteCells(
  writes: Sending,
  table: TableName,
  block: CellBlock,
  call: Call,
): Promise<void> {
  const cells = cellsOf(block)
  if (cells.some(({ type }) => type === CellType.DeleteFamilyVersion))
    throw beyondProtocol(REST_REACH, 'a delete of one timestamp of a family')
  const versions = cells.filter(({ type }) => type === CellType.Delete)
  const upTo = await withFamilies(
    writes,
    table,
    cells.filter(({ type }) => type !== CellType.Delete),
    call,
  )
  for (const group of groupedByTime(upTo)) await deleteUpTo(writes, table, group, call)
  if (versions.length > 0) await deleteVersions(writes, table, versions, call)
}

/** The markers, with the deletion of a row up to a timestamp as one of each family: the path of a row without columns cannot carry a timestamp. */
async function withFamilies(
  { catalog }: Sending,
  table: TableName,
  cells: readonly CellParts[],
  call: Call,
): Promise<CellParts[]> {
  if (!cells.some(({ family, timestamp }) => family.length === 0 && timestamp !== LATEST_TIMESTAMP))
    return [...cells]
  const { families } = await catalog.table(table, call)
  return cells.flatMap((cell) =>
    cell.family.length > 0 ? [cell] : families.map(({ name: family }) => ({ ...cell, family })),
  )
}

function groupedByTime(cells: readonly CellParts[]): CellParts[][] {
  const groups = new Map<bigint, CellParts[]>()
  for (const cell of cells) {
    const group = groups.get(cell.timestamp)
    if (group === undefined) groups.set(cell.timestamp, [cell])
    else group.push(cell)
  }
  return [...groups.values()]
}

/** Sends markers of one timestamp. */
async function deleteUpTo(
  writes: Sending,
  table: TableName,
  cells: readonly CellParts[],
  call: Call,
): Promise<void> {
  const { row, timestamp } = cells[0]!
  const isOfRow = cells.some(({ family }) => family.length === 0)
  const columns = isOfRow ? [] : cells.map(columnOf)
  const { path, headers } = await pathOf(writes, table, row, columns, call)
  const at = timestamp === LATEST_TIMESTAMP ? '' : `/${timestamp}`
  const asked = {
    operation: `delete from ${table}`,
    method: 'DELETE',
    path: `${path}${at}`,
    headers,
  } as const
  await writes.server.ask(asked, call).catch(async (error) => {
    throw await writes.withReason(table, error, call)
  })
}

function columnOf({ family, qualifier, type }: CellParts): Buffer {
  return type === CellType.DeleteFamily ? family : Buffer.concat([family, Buffer.from(':'), qualifier])
}

async function pathOf(
  { catalog }: Sending,
  table: TableName,
  row: Buffer,
  columns: readonly Buffer[],
  call: Call,
): Promise<ReturnType<typeof encodedPath>> {
  const plain = plainPath(table, row, columns)
  if (plain !== undefined) return { path: plain, headers: {} }
  const version = await catalog.hbaseVersion(call)
  if (!decodesKeys(version)) throw keyNotSent(version)
  return encodedPath(table, row, columns)
}

async function deleteVersions(
  writes: Sending,
  table: TableName,
  cells: readonly CellParts[],
  call: Call,
): Promise<void> {
  const { row, family } = cells[0]!
  const absent: CellParts = {
    row,
    family,
    qualifier: randomBytes(ABSENT_BYTES),
    timestamp: LATEST_TIMESTAMP,
    type: CellType.Put,
    value: EMPTY,
  }
  const body = cellSet([blockOf([...cells, absent])])
  if (await writes.send(table, '?check=delete', body, call)) return
  const name = absent.qualifier.toString('hex')
  throw new HBaseError(
    'REFUSED',
    `delete from ${table}: the column ${name}, of a random name, is there: try again`,
  )
}
