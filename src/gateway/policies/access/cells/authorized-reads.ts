/** Reads with access control: of the main thread, and of threads that read rows themselves. HBase: AccessController.internalPreRead. */

import { changedRead, type Get, type Scan } from '../../../../model/query.ts'
import type { Call } from '../../../../store/call.ts'
import type { Catalog } from '../../../../store/catalog.ts'
import type { ReadRows } from '../../../../store/rows.ts'
import { type Target, targetTable } from '../../../../store/target.ts'
import { Access, type AccessChecker } from '../access-checker.ts'
import { deniedRead } from '../denials.ts'
import { endsEarly } from './early-out.ts'
import { readsOfReadableCells } from './readable-cells.ts'
import { TableFamilies } from './table-families.ts'
import { mayReadAll, visibleColumns } from './visible-columns.ts'

export interface AuthorizedReadsParts {
  readonly rows: ReadRows
  readonly catalog: Pick<Catalog, 'table'>
  readonly checker: AccessChecker
  /** True where the store keeps tags, and with them permissions of single cells. */
  readonly keepsTags: boolean
  /** See endsEarly. */
  readonly earlyOut: boolean
}

/** Reads of users who may read the whole table pass unchanged, after one decision each. */
export function authorizedReads(parts: AuthorizedReadsParts): ReadRows {
  const { rows } = parts
  return {
    get: (target, gets, limits, call) =>
      reading(parts, target, call, gets, (visible) => rows.get(target, visible, limits, call)),
    openScanner: (target, scan, call) =>
      reading(parts, target, call, [scan], ([visible]) => rows.openScanner(target, visible!, call)),
  }
}

function reading<Read extends Get | Scan, Answer>(
  { checker, catalog, keepsTags, earlyOut }: AuthorizedReadsParts,
  target: Target,
  call: Call,
  reads: readonly Read[],
  run: (visible: readonly Read[]) => Promise<Answer>,
): Promise<Answer> {
  const table = targetTable(target)
  const narrow = async (access: Access): Promise<Answer> => {
    const families = new TableFamilies(catalog, table, call)
    const descriptor = await families.descriptor()
    if (keepsTags && !endsEarly(descriptor, earlyOut))
      return run(readsOfReadableCells(reads, access, descriptor))
    return run(await narrowed(reads, access, families))
  }
  const decide = (access: Access): Promise<Answer> =>
    mayReadAll(access, table) ? run(reads) : narrow(access)
  const access = checker.accessOf(call)
  return access instanceof Access ? decide(access) : access.then(decide)
}

/** The reads, limited to columns that the user may read. Throws ACCESS_DENIED where a read has none. */
async function narrowed<Read extends Get | Scan>(
  reads: readonly Read[],
  access: Access,
  families: TableFamilies,
): Promise<Read[]> {
  const names = await families.names()
  return reads.map((read) => {
    if (asksForAnyCell(read)) throw deniedRead(access.subject, families.table)
    const columns = visibleColumns(access, families.table, names, read.columns)
    if (columns.length === 0) throw deniedRead(access.subject, families.table)
    return changedRead(read, { columns })
  })
}

/** HBase asks its access control about such a get before it fills in the families: RSRpcServices.get. */
function asksForAnyCell(read: Get | Scan): boolean {
  return 'row' in read && read.existenceOnly === true && read.columns.length === 0
}
