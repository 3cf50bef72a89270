import type { Call } from '../../../src/store/call.ts'
import type { Switches, SwitchName } from '../../../src/store/upkeep.ts'
import { MasterService, MasterSwitchType } from '../../../src/wire/rpc/gen/master_pb.ts'
import { type RpcMethod, rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { Master } from '../admin/master.ts'

const { method } = MasterService

interface Asking {
  isOn(master: Master, operation: string, call: Call): Promise<boolean>
  turn(master: Master, operation: string, on: boolean, call: Call): Promise<boolean>
}

function asking<Is, IsAnswer, Set, SetAnswer>(
  is: RpcMethod<Is, IsAnswer>,
  question: Is,
  position: (answer: IsAnswer) => boolean,
  set: RpcMethod<Set, SetAnswer>,
  request: (on: boolean) => Set,
  before: (answer: SetAnswer) => boolean,
): Asking {
  return {
    isOn: async (master, operation, call) => position(await master.ask(operation, is, question, call)),
    turn: async (master, operation, on, call) => before(await master.ask(operation, set, request(on), call)),
  }
}

function splitOrMerge(switchType: MasterSwitchType): Asking {
  return asking(
    rpcMethod(method.isSplitOrMergeEnabled),
    { switchType },
    ({ enabled }) => enabled,
    rpcMethod(method.setSplitOrMergeEnabled),
    (enabled) => ({ enabled, switchTypes: [switchType] }),
    ({ prevValue }) => prevValue[0] ?? true,
  )
}

const ASKING: Readonly<Record<SwitchName, Asking>> = {
  balancer: asking(
    rpcMethod(method.isBalancerEnabled),
    {},
    ({ enabled }) => enabled,
    rpcMethod(method.setBalancerRunning),
    (on) => ({ on, synchronous: true }),
    ({ prevBalanceValue }) => prevBalanceValue,
  ),
  normalizer: asking(
    rpcMethod(method.isNormalizerEnabled),
    {},
    ({ enabled }) => enabled,
    rpcMethod(method.setNormalizerRunning),
    (on) => ({ on }),
    ({ prevNormalizerValue }) => prevNormalizerValue,
  ),
  catalogJanitor: asking(
    rpcMethod(method.isCatalogJanitorEnabled),
    {},
    ({ value }) => value,
    rpcMethod(method.enableCatalogJanitor),
    (enable) => ({ enable }),
    ({ prevValue }) => prevValue,
  ),
  cleanerChore: asking(
    rpcMethod(method.isCleanerChoreEnabled),
    {},
    ({ value }) => value,
    rpcMethod(method.setCleanerChoreRunning),
    (on) => ({ on }),
    ({ prevValue }) => prevValue,
  ),
  snapshotCleanup: asking(
    rpcMethod(method.isSnapshotCleanupEnabled),
    {},
    ({ enabled }) => enabled,
    rpcMethod(method.switchSnapshotCleanup),
    (enabled) => ({ enabled, synchronous: true }),
    ({ prevSnapshotCleanup }) => prevSnapshotCleanup,
  ),
  split: splitOrMerge(MasterSwitchType.SPLIT),
  merge: splitOrMerge(MasterSwitchType.MERGE),
  rpcThrottle: asking(
    rpcMethod(method.isRpcThrottleEnabled),
    {},
    ({ rpcThrottleEnabled }) => rpcThrottleEnabled,
    rpcMethod(method.switchRpcThrottle),
    (on) => ({ rpcThrottleEnabled: on }),
    ({ previousRpcThrottleEnabled }) => previousRpcThrottleEnabled,
  ),
  peerModification: asking(
    rpcMethod(method.isReplicationPeerModificationEnabled),
    {},
    ({ enabled }) => enabled,
    rpcMethod(method.replicationPeerModificationSwitch),
    (on) => ({ on }),
    ({ previousValue }) => previousValue,
  ),
}

/** The switches of the cluster's master. */
export class ClusterSwitches implements Switches {
  readonly #master: Master

  constructor(master: Master) {
    this.#master = master
  }

  isOn(name: SwitchName, call: Call): Promise<boolean> {
    return ASKING[name].isOn(this.#master, `state of the switch ${name}`, call)
  }

  turn(name: SwitchName, on: boolean, call: Call): Promise<boolean> {
    return ASKING[name].turn(this.#master, `switch ${name}`, on, call)
  }
}
