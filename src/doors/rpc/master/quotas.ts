/** Quotas: limits of throttles and space. Refused where `hbase.quota.enabled` is false. HBase: MasterQuotaManager. */

import { HBaseError } from '../../../model/errors.ts'
import { MasterService } from '../../../wire/rpc/gen/master_pb.ts'
import { quotaChangeFromMessage, spaceUseMessage } from '../../../wire/rpc/quota-messages.ts'
import { tableNameMessage } from '../../../wire/rpc/table-name-message.ts'
import { generated, type RpcHandler } from '../contract/rpc-service.ts'
import type { MasterContext } from './master-context.ts'

const { method } = MasterService

export function quotaMethods({ store, switches }: MasterContext): (readonly [string, RpcHandler])[] {
  const { quotas } = store.upkeep
  return [
    generated(method.setQuota, async (message, { call }) => {
      if (quotas === undefined) throw new HBaseError('UNSUPPORTED', 'quota support disabled')
      await quotas.setQuota(quotaChangeFromMessage(message), call)
      return {}
    }),
    generated(method.getQuotaStates, async (_, { call }) => {
      const states = await quotas?.quotaStates(call)
      if (states === undefined) return {}
      return {
        tableSnapshots: states.tables.map((use) => ({
          tableName: tableNameMessage(use.table),
          snapshot: spaceUseMessage(use),
        })),
        nsSnapshots: states.namespaces.map((use) => ({
          namespace: use.namespace,
          snapshot: spaceUseMessage(use),
        })),
      }
    }),
    generated(method.getSpaceQuotaRegionSizes, async (_, { call }) => {
      const sizes = (await quotas?.tableSizes(call)) ?? []
      return {
        sizes: sizes.map(({ table, bytes }) => ({ tableName: tableNameMessage(table), size: bytes })),
      }
    }),
    generated(method.isRpcThrottleEnabled, async (_, { call }) => ({
      rpcThrottleEnabled: quotas !== undefined && (await switches.isOn('rpcThrottle', call)),
    })),
    generated(method.switchRpcThrottle, async ({ rpcThrottleEnabled }, { call }) => ({
      previousRpcThrottleEnabled:
        quotas !== undefined && (await switches.turn('rpcThrottle', rpcThrottleEnabled, call)),
    })),
    generated(method.switchExceedThrottleQuota, async ({ exceedThrottleQuotaEnabled }, { call }) => ({
      previousExceedThrottleQuotaEnabled:
        (await quotas?.switchExceeding(exceedThrottleQuotaEnabled, call)) ?? false,
    })),
  ]
}
