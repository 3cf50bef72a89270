/**
 * The master's switches. Tidegate has no chores behind most of them. While the switches of splits and merges are off, it refuses clients' splits
 * and merges. In front of a cluster, the switches are the cluster's.
 */

import { MasterService, MasterSwitchType } from '../../../wire/rpc/gen/master_pb.ts'
import { generated, type RpcHandler } from '../contract/rpc-service.ts'
import type { MasterContext } from './master-context.ts'

const { method } = MasterService

const BY_TYPE = { [MasterSwitchType.SPLIT]: 'split', [MasterSwitchType.MERGE]: 'merge' } as const

export function switchMethods({ switches }: MasterContext): (readonly [string, RpcHandler])[] {
  return [
    generated(method.setBalancerRunning, async ({ on }, { call }) => ({
      prevBalanceValue: await switches.turn('balancer', on, call),
    })),
    generated(method.isBalancerEnabled, async (_, { call }) => ({
      enabled: await switches.isOn('balancer', call),
    })),
    generated(method.setNormalizerRunning, async ({ on }, { call }) => ({
      prevNormalizerValue: await switches.turn('normalizer', on, call),
    })),
    generated(method.isNormalizerEnabled, async (_, { call }) => ({
      enabled: await switches.isOn('normalizer', call),
    })),
    generated(method.enableCatalogJanitor, async ({ enable }, { call }) => ({
      prevValue: await switches.turn('catalogJanitor', enable, call),
    })),
    generated(method.isCatalogJanitorEnabled, async (_, { call }) => ({
      value: await switches.isOn('catalogJanitor', call),
    })),
    generated(method.setCleanerChoreRunning, async ({ on }, { call }) => ({
      prevValue: await switches.turn('cleanerChore', on, call),
    })),
    generated(method.isCleanerChoreEnabled, async (_, { call }) => ({
      value: await switches.isOn('cleanerChore', call),
    })),
    generated(method.switchSnapshotCleanup, async ({ enabled }, { call }) => ({
      prevSnapshotCleanup: await switches.turn('snapshotCleanup', enabled, call),
    })),
    generated(method.isSnapshotCleanupEnabled, async (_, { call }) => ({
      enabled: await switches.isOn('snapshotCleanup', call),
    })),
    generated(method.setSplitOrMergeEnabled, async ({ enabled, switchTypes }, { call }) => {
      const prevValue: boolean[] = []
      for (const type of switchTypes) prevValue.push(await switches.turn(BY_TYPE[type], enabled, call))
      return { prevValue }
    }),
    generated(method.isSplitOrMergeEnabled, async ({ switchType }, { call }) => ({
      enabled: await switches.isOn(BY_TYPE[switchType], call),
    })),
  ]
}
