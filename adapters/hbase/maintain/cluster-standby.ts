/** The standby's part of a server that is a Tidegate on its own engine: HBase's servers do not have this service. */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import { HBaseError } from '../../../src/model/errors.ts'
import type { Call } from '../../../src/store/call.ts'
import type {
  KnownStandby,
  Promotion,
  PromotionOptions,
  Standby,
  StandbyRole,
  StandbyState,
} from '../../../src/store/standby.ts'
import { StandbyService, type StandbyStateMessage } from '../../../src/wire/rpc/gen/standby_pb.ts'
import { STANDBY_SERVICE, stateOfMessage } from '../../../src/wire/rpc/standby-service.ts'
import type { Master } from '../admin/master.ts'
import { askOwnService, type OwnService } from './own-service.ts'

const { method } = StandbyService
const SERVICE: OwnService = {
  name: STANDBY_SERVICE,
  operation: 'the state of a standby',
  refusal:
    'this server can neither be followed nor promoted: it is an HBase, a Tidegate in front of one, a Tidegate on --store memory, or one of an older version',
}
const ROLES: readonly StandbyRole[] = ['leader', 'standby', 'retired']

export class ClusterStandby implements Standby {
  readonly #master: Master

  constructor(master: Master) {
    this.#master = master
  }

  async standbyState(call: Call): Promise<StandbyState> {
    return stateOf((await this.#ask(method.state, {}, call)).state)
  }

  async followedBy(standby: KnownStandby, call: Call): Promise<StandbyState> {
    return stateOf((await this.#ask(method.followedBy, { ...standby }, call)).state)
  }

  async stepDown(epoch: number, leader: string, call: Call): Promise<number> {
    return Number((await this.#ask(method.stepDown, { epoch: BigInt(epoch), leader }, call)).position)
  }

  async takeBack(epoch: number, call: Call): Promise<void> {
    await this.#ask(method.takeBack, { epoch: BigInt(epoch) }, call)
  }

  async promote({ keepsIdentity, waitMs }: PromotionOptions, call: Call): Promise<Promotion> {
    const message = { keepsIdentity, waitMs: BigInt(waitMs) }
    const { state, isWhole, loss, disabledPeers } = await this.#ask(method.promote, message, call)
    return { state: stateOf(state), isWhole, loss, disabledPeers }
  }

  #ask<Input extends DescMessage, Output extends DescMessage>(
    asked: DescMethodUnary<Input, Output>,
    message: MessageInitShape<Input>,
    call: Call,
  ): Promise<MessageShape<Output>> {
    return askOwnService(this.#master, SERVICE, asked, message, call)
  }
}

/** Throws CORRUPTION. */
function stateOf(message: StandbyStateMessage | undefined): StandbyState {
  const state = message && stateOfMessage(message)
  const role = ROLES.find((each) => each === state?.role)
  if (state === undefined || role === undefined)
    throw new HBaseError('CORRUPTION', 'the server states no role that this version knows')
  return { ...state, role }
}
