/** Methods for the region server itself. Tidegate keeps no slow calls for clients, and no files in other servers' caches. */

import { HBaseError } from '../../../model/errors.ts'
import type { Call } from '../../../store/call.ts'
import { AdminService } from '../../../wire/rpc/gen/admin_pb.ts'
import type { RegionSpecifier } from '../../../wire/rpc/gen/hbase_pb.ts'
import { spaceUseMessage } from '../../../wire/rpc/quota-messages.ts'
import { tableNameMessage } from '../../../wire/rpc/table-name-message.ts'
import { generated, type RpcHandler } from '../contract/rpc-service.ts'
import { javaException } from '../messages/exceptions.ts'
import { specifierOf } from '../messages/region-message.ts'
import { serverNameMessage } from '../messages/server-name-message.ts'
import type { AdminContext } from './admin-context.ts'

const { method } = AdminService
/** Java classes of the request for slow calls within GetLogEntries, and of the answer to it. */
const SLOW_LOG_REQUEST = 'SlowLogResponseRequest'
const SLOW_LOG_ANSWER = 'org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos$SlowLogResponses'

export function serverMethods(context: AdminContext): (readonly [string, RpcHandler])[] {
  return [
    generated(method.getServerInfo, async () => {
      const webuiPort = context.infoPort()
      return {
        serverInfo: {
          serverName: serverNameMessage(context.server),
          ...(webuiPort !== undefined && { webuiPort }),
        },
      }
    }),
    generated(method.rollWALWriter, async () => ({ regionToFlush: [] })),
    generated(method.updateConfiguration, async () => ({})),
    generated(method.getCachedFilesList, async () => ({ cachedFiles: [] })),
    generated(method.getSpaceQuotaSnapshots, async (_, { call }) => ({
      snapshots: ((await context.store.upkeep.quotas?.serverSpaceUses(call)) ?? []).map((use) => ({
        tableName: tableNameMessage(use.table),
        snapshot: spaceUseMessage(use),
      })),
    })),
    generated(method.getSlowLogResponses, async () => ({ slowLogPayloads: [] })),
    generated(method.getLargeLogResponses, async () => ({ slowLogPayloads: [] })),
    generated(method.clearSlowLogsResponses, async () => ({ isCleaned: false })),
    generated(method.getLogEntries, async ({ logClassName }) => {
      if (!logClassName.includes(SLOW_LOG_REQUEST)) {
        throw new HBaseError('DO_NOT_RETRY', 'Invalid request params')
      }
      return { logClassName: SLOW_LOG_ANSWER, logMessage: Buffer.alloc(0) }
    }),
    generated(method.clearRegionBlockCache, async ({ region }, { call }) => ({
      // A store manages its cache itself: this evicts nothing.
      stats: { evictedBlocks: 0n, maxCacheSize: 0n, exception: await notServed(context, region, call) },
    })),
  ]
}

type NotServed = { readonly region: RegionSpecifier; readonly exception: { name: string; value: Buffer } }

async function notServed(
  { regions }: AdminContext,
  asked: readonly RegionSpecifier[],
  call: Call,
): Promise<NotServed[]> {
  const missing: NotServed[] = []
  for (const region of asked) {
    try {
      await regions.region(specifierOf(region), call)
    } catch (error) {
      const { javaClass, remoteStack } = javaException(error)
      missing.push({ region, exception: { name: javaClass, value: Buffer.from(remoteStack) } })
    }
  }
  return missing
}
