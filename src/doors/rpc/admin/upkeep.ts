/** Flushes and compactions that clients ask a region server for. */

import { abbreviated } from '../../../model/bytes.ts'
import { HBaseError } from '../../../model/errors.ts'
import { isSystemTable, type TableName } from '../../../model/table-name.ts'
import { type Call, onOwnBehalf } from '../../../store/call.ts'
import { AdminService } from '../../../wire/rpc/gen/admin_pb.ts'
import { generated, type RpcHandler } from '../contract/rpc-service.ts'
import { specifierOf } from '../messages/region-message.ts'
import type { AdminContext } from './admin-context.ts'

const { method } = AdminService

export function upkeepMethods(context: AdminContext): (readonly [string, RpcHandler])[] {
  const { regions, store } = context
  const { flushes, compactions } = store.upkeep
  /** True for a system table that is a view of the gateway: it has no memstore and no files. */
  const isShown = (table: Parameters<typeof isSystemTable>[0]): boolean =>
    isSystemTable(table) && !store.catalog.hasSystemTables
  let takesCompactions = true
  return [
    generated(method.flushRegion, async ({ region: asked, family, ifOlderThanTs }, { call }) => {
      const { name, table, replica } = await regions.region(specifierOf(asked!), call)
      const now = BigInt(Date.now())
      // No region was opened before the server started, so none was flushed before.
      if (ifOlderThanTs !== 0n && ifOlderThanTs <= context.server.startCode) return { lastFlushTime: now }
      if (family.length > 0 && !(await hasFamily(context, table, family, call)))
        throw noFamily(`Column families [${abbreviated(Buffer.from(family))}] don't exist in table ${table}`)
      const one = family.length === 0 ? undefined : Buffer.from(family)
      // A copy has no memstore of its own: nothing is flushed.
      const flushed =
        replica === 0 && !isShown(table) && (await flushes?.flushRegion(name, one, call)) === true
      return { lastFlushTime: now, flushed, wroteFlushWalMarker: false }
    }),
    generated(method.compactRegion, async ({ region: asked, major, family }, { call }) => {
      const { name, table, replica } = await regions.region(specifierOf(asked!), call)
      if (!takesCompactions || isShown(table)) return {}
      if (family.length > 0 && !(await hasFamily(context, table, family, call)))
        throw noFamily(
          `column family ${abbreviated(Buffer.from(family))} does not exist in region ${abbreviated(name)}`,
        )
      const one = family.length === 0 ? {} : { family: Buffer.from(family) }
      if (replica === 0) await compactions?.compactRegion(name, { major, ...one }, call)
      return {}
    }),
    // Switches off clients' compactions only. Those that the store chooses go on: without them it would fill up with files.
    generated(method.compactionSwitch, async ({ enabled }) => {
      const prevState = takesCompactions
      takesCompactions = enabled
      return { prevState }
    }),
    generated(method.clearCompactionQueues, async () => ({})),
  ]
}

async function hasFamily(
  { store }: AdminContext,
  table: TableName,
  family: Uint8Array,
  call: Call,
): Promise<boolean> {
  const { families } = await store.catalog.table(table, onOwnBehalf(call))
  return families.some(({ name }) => name.equals(family))
}

function noFamily(message: string): HBaseError {
  return new HBaseError('NO_SUCH_COLUMN_FAMILY', message)
}
