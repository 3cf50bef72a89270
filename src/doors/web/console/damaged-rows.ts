/** Where a read that failed can go on, and what the console shows of damaged files. */

import { compareBytes } from '../../../model/bytes.ts'
import type { HBaseError } from '../../../model/errors.ts'
import type { TableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import type { DamagedRows, Store, StoreDamage } from '../../../store/store.ts'
import type { ConsoleRequest } from './console-request.ts'
import type { Gap } from './page-of-rows.ts'

/** The damaged files of a table, as the page of the table shows them. */
export async function damageOf(store: Store, table: TableName): Promise<readonly object[]> {
  const all = await store.damage()
  return all
    .filter((damage) => damage.table === table)
    .map(({ path, reason, directory, regions, rows }) => ({
      path,
      reason,
      directory,
      regions,
      rows: rows?.map(({ from, to }) => ({ from: from.toString('base64'), to: to.toString('base64') })),
    }))
}

interface Failure {
  readonly table: TableName
  readonly error: HBaseError
  /** The row at or behind which the read failed. */
  readonly start: Buffer
}

/** Undefined where no damage of the table explains the failure. */
export async function gapAt(
  { store, call }: ConsoleRequest,
  failure: Failure,
): Promise<Omit<Gap, 'at'> | undefined> {
  const { table, error, start } = failure
  const path = error.detail?.['path']
  const damage = (await store.damage()).find((each) => each.table === table && each.path === path)
  if (damage === undefined) return undefined
  const rows = nextRows(damage, start)
  const to = rows?.to ?? (await regionEnd(store, call, table, start))
  return {
    table,
    path: damage.path,
    reason: error.message,
    region: damage.regions?.[0],
    from: start.toString('base64'),
    to: to?.toString('base64'),
    directory: damage.directory,
  }
}

/** The first damaged rows that end behind this one. A read that begins with their last row needs the damaged part, too. */
function nextRows({ rows = [] }: StoreDamage, start: Buffer): DamagedRows | undefined {
  const behind = rows.filter(({ to }) => compareBytes(to, start) >= 0)
  const next = behind.toSorted((a, b) => compareBytes(a.from, b.from))[0]
  if (next === undefined || compareBytes(next.to, start) > 0) return next
  return { from: start, to: Buffer.concat([start, Buffer.alloc(1)]) }
}

/** Undefined at the end of the table. */
async function regionEnd(
  store: Store,
  call: Call,
  table: TableName,
  row: Buffer,
): Promise<Buffer | undefined> {
  const regions = await store.catalog.regions(table, call)
  const region = regions.find(({ endKey }) => endKey.length === 0 || compareBytes(row, endKey) < 0)
  return region === undefined || region.endKey.length === 0 ? undefined : region.endKey
}
