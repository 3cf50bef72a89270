/**
 * The master's switches. Tidegate has no chores behind most of them; it remembers their positions for as long as it runs,
 * and splits and merges no region for a client while their switches are off.
 */

import { MasterService, MasterSwitchType } from '../../../wire/rpc/gen/master_pb.ts'
import { generated, type RpcHandler } from '../rpc-service.ts'

const { method } = MasterService

export interface Switches {
  balancer: boolean
  normalizer: boolean
  catalogJanitor: boolean
  cleanerChore: boolean
  snapshotCleanup: boolean
  split: boolean
  merge: boolean
}

/** As HBase starts. */
export function initialSwitches(): Switches {
  return {
    balancer: true,
    normalizer: true,
    catalogJanitor: true,
    cleanerChore: true,
    snapshotCleanup: true,
    split: true,
    merge: true,
  }
}

const BY_TYPE = { [MasterSwitchType.SPLIT]: 'split', [MasterSwitchType.MERGE]: 'merge' } as const

export function switchMethods(switches: Switches): (readonly [string, RpcHandler])[] {
  /** Answers the position before. */
  const set = (name: keyof Switches, position: boolean): boolean => {
    const before = switches[name]
    switches[name] = position
    return before
  }
  return [
    generated(method.setBalancerRunning, async ({ on }) => ({ prevBalanceValue: set('balancer', on) })),
    generated(method.isBalancerEnabled, async () => ({ enabled: switches.balancer })),
    generated(method.setNormalizerRunning, async ({ on }) => ({
      prevNormalizerValue: set('normalizer', on),
    })),
    generated(method.isNormalizerEnabled, async () => ({ enabled: switches.normalizer })),
    generated(method.enableCatalogJanitor, async ({ enable }) => ({
      prevValue: set('catalogJanitor', enable),
    })),
    generated(method.isCatalogJanitorEnabled, async () => ({ value: switches.catalogJanitor })),
    generated(method.setCleanerChoreRunning, async ({ on }) => ({ prevValue: set('cleanerChore', on) })),
    generated(method.isCleanerChoreEnabled, async () => ({ value: switches.cleanerChore })),
    generated(method.switchSnapshotCleanup, async ({ enabled }) => ({
      prevSnapshotCleanup: set('snapshotCleanup', enabled),
    })),
    generated(method.isSnapshotCleanupEnabled, async () => ({ enabled: switches.snapshotCleanup })),
    generated(method.setSplitOrMergeEnabled, async ({ enabled, switchTypes }) => ({
      prevValue: switchTypes.map((type) => set(BY_TYPE[type], enabled)),
    })),
    generated(method.isSplitOrMergeEnabled, async ({ switchType }) => ({
      enabled: switches[BY_TYPE[switchType]],
    })),
  ]
}
