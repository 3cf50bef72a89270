import type { StandbyStateMessage } from './gen/standby_pb.ts'

/** The name by which clients call StandbyService, a coprocessor of the master. */
export const STANDBY_SERVICE = 'tidegate.pb.StandbyService'

/** The state without the types of protobuf; the role as the server has stated it. */
export function stateOfMessage({ role, epoch, clusterId, leader, position, asOf }: StandbyStateMessage): {
  readonly role: string
  readonly epoch: number
  readonly clusterId: string
  readonly leader: string | undefined
  readonly position: number
  readonly asOf: number
} {
  return {
    role,
    epoch: Number(epoch),
    clusterId,
    leader: leader === '' ? undefined : leader,
    position: Number(position),
    asOf: Number(asOf),
  }
}
