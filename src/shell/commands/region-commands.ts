import { isHBaseError } from '../../model/errors.ts'
import { parseTableName } from '../../model/table-name.ts'
import type { Compactions, RegionUpkeep } from '../../store/upkeep.ts'
import { AdminService } from '../../wire/rpc/gen/admin_pb.ts'
import { RegionSpecifier_RegionSpecifierType } from '../../wire/rpc/gen/hbase_pb.ts'
import { rpcMethod } from '../../wire/rpc/rpc-method.ts'
import { flattened, tableText } from '../arguments/argument-values.ts'
import { serverNamed, serversOf } from '../context/cluster-report.ts'
import type { CommandContext, ShellCommand } from '../context/command.ts'
import { beyondReach, refuse, ShellError } from '../output/shell-error.ts'
import { bytesOf, isTrue, textOf, type Value } from '../ruby/values.ts'

export const REGION_COMMANDS: readonly ShellCommand[] = [
  { name: 'flush', min: 1, max: 2, run: flush },
  { name: 'compact', min: 1, max: 3, run: (context, args) => compact(context, args, false) },
  { name: 'major_compact', min: 1, max: 3, run: (context, args) => compact(context, args, true) },
  { name: 'compaction_state', min: 1, max: 1, run: compactionState },
  { name: 'split', min: 1, max: 2, run: split },
  { name: 'merge_region', min: 0, max: undefined, run: mergeRegion },
  { name: 'move', min: 1, max: 2, run: move },
  {
    name: 'assign',
    min: 1,
    max: 1,
    run: (context, [name]) => regionsOf(context).assignRegion(bytesOf(name!), context.call),
  },
  {
    name: 'unassign',
    min: 1,
    max: 2,
    run: (context, [name]) => regionsOf(context).unassignRegion(bytesOf(name!), context.call),
  },
  { name: 'close_region', min: 1, max: 2, run: closeRegion },
]

const GET_SERVER_INFO = rpcMethod(AdminService.method.getOnlineRegion)
const FLUSH_REGION = rpcMethod(AdminService.method.flushRegion)

function regionsOf({ store }: CommandContext): RegionUpkeep {
  return store.upkeep.regions ?? beyondReach('the store has no regions to change')
}

/** Runs the work on the region of a name or, if there is no such region, on the table. HBase tries them in this order. */
async function onRegionOrTable(
  onRegion: () => Promise<unknown>,
  onTable: () => Promise<unknown>,
): Promise<void> {
  try {
    await onRegion()
  } catch (error) {
    if (!isHBaseError(error) || error.code !== 'ILLEGAL_ARGUMENT') throw error
    await onTable()
  }
}

async function flush(context: CommandContext, [named, stated]: readonly Value[]): Promise<void> {
  const { store, call } = context
  const name = tableText(named)
  const flushes = store.upkeep.flushes ?? beyondReach('the store has nothing to flush')
  if (/^[^,]+,\d{1,5},\d+$/.test(name)) return flushServer(context, name)
  const family = isTrue(stated) ? bytesOf(stated!) : undefined
  await onRegionOrTable(
    () => flushes.flushRegion(Buffer.from(name), family, call),
    async () => {
      const table = parseTableName(name)
      if (family === undefined) return flushes.flushTable(table, call)
      for (const region of await store.catalog.regions(table, call))
        await flushes.flushRegion(region.name, family, call)
    },
  )
}

async function flushServer(context: CommandContext, name: string): Promise<void> {
  const servers = serversOf(context)
  const server = serverNamed(name)
  const { regionInfo } = await servers.askServer(
    server,
    `regions of ${name}`,
    GET_SERVER_INFO,
    {},
    context.call,
  )
  for (const { regionId, tableName, startKey } of regionInfo) {
    const table = parseTableName(
      `${Buffer.from(tableName!.namespace).toString()}:${Buffer.from(tableName!.qualifier).toString()}`,
    )
    const regions = await context.store.catalog.regions(table, context.call)
    const region = regions.find(
      (each) => each.regionId === Number(regionId) && each.startKey.equals(Buffer.from(startKey ?? [])),
    )
    if (region === undefined) continue
    const request = {
      region: { type: RegionSpecifier_RegionSpecifierType.REGION_NAME, value: region.name },
    }
    await servers.askServer(server, `flush of ${name}`, FLUSH_REGION, request, context.call)
  }
}

function compactionsOf({ store }: CommandContext): Compactions {
  return store.upkeep.compactions ?? beyondReach('the store has nothing to compact')
}

async function compact(context: CommandContext, args: readonly Value[], major: boolean): Promise<void> {
  const [named, stated, type] = args
  const name = tableText(named)
  const kind = isTrue(type) ? textOf(type!) : 'NORMAL'
  if (kind !== 'NORMAL' && kind !== 'MOB') refuse('only NORMAL or MOB accepted for type!')
  const compaction = { major, ...(isTrue(stated) && { family: bytesOf(stated!) }) }
  const compactions = compactionsOf(context)
  await onRegionOrTable(
    () => compactions.compactRegion(Buffer.from(name), compaction, context.call),
    () => compactions.compactTable(parseTableName(name), compaction, context.call),
  )
}

async function compactionState(context: CommandContext, [named]: readonly Value[]): Promise<Value> {
  const table = parseTableName(tableText(named))
  const state = await compactionsOf(context).compactionState(table, context.call)
  context.out.row([state])
  return Buffer.from(state)
}

async function split(context: CommandContext, [named, stated]: readonly Value[]): Promise<void> {
  const name = tableText(named)
  const at = isTrue(stated) ? bytesOf(stated!) : undefined
  const regions = regionsOf(context)
  const isRegion = /^[0-9a-f]{32}$/.test(name) || name.includes(',')
  if (isRegion) await regions.splitRegion(Buffer.from(name), at, context.call)
  else await regions.splitTable(parseTableName(name), at, context.call)
}

async function mergeRegion(context: CommandContext, stated: readonly Value[]): Promise<void> {
  const args = flattened(stated)
  if (args.length < 2) refuse('Must pass at least 2 regions to merge')
  const last = args.at(-1)
  const force = args.length > 2 && typeof last === 'boolean' ? last : undefined
  const names = force === undefined ? args : args.slice(0, -1)
  try {
    await regionsOf(context).mergeRegions(names.map(bytesOf), force ?? false, context.call)
  } catch (error) {
    const unknown = isHBaseError(error) && error.javaClass.endsWith('UnknownRegionException')
    if (unknown) throw new ShellError(`Can't invoke merge on unknown region ${error.message}`)
    throw error
  }
}

async function move(context: CommandContext, [named, target]: readonly Value[]): Promise<void> {
  const server = isTrue(target) ? serverNamed(textOf(target!)) : undefined
  await regionsOf(context).moveRegion(bytesOf(named!), server, context.call)
}

async function closeRegion({ out }: CommandContext): Promise<void> {
  out.line('DEPRECATED!!! Use `unassign` command instead.')
}
