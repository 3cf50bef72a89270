/** Tidegate's service of standbys, which clients call as a coprocessor of the master. */

import type { Call } from '../../../store/call.ts'
import type { Standby, StandbyState } from '../../../store/standby.ts'
import type { CoprocessorServiceCall } from '../../../wire/rpc/gen/client_pb.ts'
import {
  FollowedByRequestSchema,
  FollowedByResponseSchema,
  PromoteRequestSchema,
  PromoteResponseSchema,
  StandbyStateRequestSchema,
  StandbyStateResponseSchema,
  StepDownRequestSchema,
  StepDownResponseSchema,
  TakeBackRequestSchema,
  TakeBackResponseSchema,
} from '../../../wire/rpc/gen/standby_pb.ts'
import { STANDBY_SERVICE } from '../../../wire/rpc/standby-service.ts'
import { readClientMessage } from '../messages/read-message.ts'
import { serviceAnswer as answer, type ServiceAnswer, unknownMethod } from './service-answer.ts'

/** Throws DO_NOT_RETRY for an unknown method. */
export async function runStandby(
  standby: Standby,
  { methodName, request }: CoprocessorServiceCall,
  call: Call,
): Promise<ServiceAnswer> {
  switch (methodName) {
    case 'State':
      readClientMessage(StandbyStateRequestSchema, request)
      return answer(StandbyStateResponseSchema, { state: message(await standby.standbyState(call)) })
    case 'FollowedBy': {
      const { id, address } = readClientMessage(FollowedByRequestSchema, request)
      return answer(FollowedByResponseSchema, {
        state: message(await standby.followedBy({ id, address }, call)),
      })
    }
    case 'StepDown': {
      const { epoch, leader } = readClientMessage(StepDownRequestSchema, request)
      const position = await standby.stepDown(Number(epoch), leader, call)
      return answer(StepDownResponseSchema, { position: BigInt(position) })
    }
    case 'TakeBack':
      await standby.takeBack(Number(readClientMessage(TakeBackRequestSchema, request).epoch), call)
      return answer(TakeBackResponseSchema, {})
    case 'Promote': {
      const { keepsIdentity, waitMs } = readClientMessage(PromoteRequestSchema, request)
      const { state, isWhole, loss, disabledPeers } = await standby.promote(
        { keepsIdentity, waitMs: Number(waitMs) },
        call,
      )
      const peers = [...disabledPeers]
      return answer(PromoteResponseSchema, { state: message(state), isWhole, loss, disabledPeers: peers })
    }
    default:
      throw unknownMethod(STANDBY_SERVICE, methodName)
  }
}

function message({ role, epoch, clusterId, leader, position, asOf }: StandbyState): {
  readonly role: string
  readonly epoch: bigint
  readonly clusterId: string
  readonly leader?: string
  readonly position: bigint
  readonly asOf: bigint
} {
  return {
    role,
    epoch: BigInt(epoch),
    clusterId,
    ...(leader !== undefined && { leader }),
    position: BigInt(position),
    asOf: BigInt(Math.max(0, Math.floor(asOf))),
  }
}
