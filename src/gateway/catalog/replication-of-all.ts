/** The replication of all servers of a cluster, as that of one server. */

import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import type { ReplicationLoad } from '../../store/region-figures.ts'
import type { ServerLoad } from '../../store/upkeep.ts'
import { type ReplicationLoadSink, ReplicationLoadSinkSchema } from '../../wire/rpc/gen/cluster-status_pb.ts'

/** All queues, and the sink with the latest change, with the count of all sinks. Undefined where no server has a sink. */
export function replicationOfAll(servers: readonly ServerLoad[]): ReplicationLoad | undefined {
  const loads = servers.flatMap(({ replication }) => replication ?? [])
  const sinks = loads.map(({ sink }) => fromBinary(ReplicationLoadSinkSchema, sink))
  const [latest] = sinks.toSorted(byLastChange)
  if (latest === undefined) return undefined
  const totalOpsProcessed = sinks.reduce((sum, sink) => sum + sink.totalOpsProcessed, 0n)
  const sink = create(ReplicationLoadSinkSchema, { ...latest, totalOpsProcessed })
  return {
    sources: loads.flatMap(({ sources }) => sources),
    sink: Buffer.from(toBinary(ReplicationLoadSinkSchema, sink)),
  }
}

/** Orders by the last change, the latest first. A sink without a change reports its start as that time, and comes last. */
function byLastChange(a: ReplicationLoadSink, b: ReplicationLoadSink): number {
  return Number(lastChange(b) - lastChange(a))
}

function lastChange({ timeStampsOfLastAppliedOp, timestampStarted }: ReplicationLoadSink): bigint {
  return timeStampsOfLastAppliedOp === timestampStarted ? -1n : timeStampsOfLastAppliedOp
}
