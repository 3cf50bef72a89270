/** Replication peers with their state and lag, and the server's part in a pair of leader and standby. */

import { fromBinary } from '@bufbuild/protobuf'
import { readPeer, type TableFamilies } from '../../../store/peer-description.ts'
import {
  type ReplicationLoadSource,
  ReplicationLoadSourceSchema,
} from '../../../wire/rpc/gen/cluster-status_pb.ts'
import { isAdmin } from '../status/administrators.ts'
import type { ConsoleRequest } from './console-request.ts'
import { hidden } from './sees-all.ts'

/** A peer's load, of the server that is farthest behind. */
interface Lag {
  readonly lagMs: number
  readonly lastShippedAt: number | undefined
  readonly isRunning: boolean | undefined
}

export async function replication(request: ConsoleRequest): Promise<object> {
  const { store, call, facts } = request
  // A cluster decides itself which of its peers the user sees.
  if (facts.console?.deciding === 'Tidegate' && !(await isAdmin(facts.life.store ?? store, call)))
    return hidden(request)
  const pair = facts.life.pair
  const { peers } = store.upkeep
  if (peers === undefined) return { isThere: false, pair, peers: [] }
  const [described, lags] = await Promise.all([peers.listPeers(call), lagsOf(request)])
  return {
    isThere: true,
    pair,
    peers: described.map(readPeer).map(({ id, clusterKey, isEnabled, choice, bandwidth }) => ({
      id,
      clusterKey: withoutSecrets(clusterKey),
      isEnabled,
      bandwidth,
      replicateAll: choice.replicateAll,
      tables: tablesText(choice.replicateAll ? choice.excludeTables : choice.tables),
      namespaces: [...(choice.replicateAll ? choice.excludeNamespaces : choice.namespaces)],
      ...lags.get(id),
    })),
  }
}

async function lagsOf({ store, call }: ConsoleRequest): Promise<ReadonlyMap<string, Lag>> {
  const { peers, cluster } = store.upkeep
  const own = await peers?.sourceLoads?.(call)
  const ofServers = async (): Promise<readonly Buffer[]> => {
    const status = await cluster?.status(call).catch(() => undefined)
    return status?.liveServers.flatMap(({ replication: load }) => load?.sources ?? []) ?? []
  }
  const lags = new Map<string, Lag>()
  for (const bytes of own ?? (await ofServers())) {
    const load = fromBinary(ReplicationLoadSourceSchema, bytes)
    // The queue of a server that has ended is named PEER-SERVER.
    const [id = ''] = load.peerID.split('-')
    const lag = lagOf(load)
    if ((lags.get(id)?.lagMs ?? -1) < lag.lagMs) lags.set(id, lag)
  }
  return lags
}

function lagOf({ replicationLag, timeStampOfLastShippedOp, running }: ReplicationLoadSource): Lag {
  const shipped = Number(timeStampOfLastShippedOp)
  return {
    lagMs: Number(replicationLag),
    lastShippedAt: shipped > 0 ? shipped : undefined,
    isRunning: running,
  }
}

function tablesText(tables: TableFamilies): string[] {
  return [...tables].map(([table, families]) =>
    families.size === 0 ? table : `${table} (${[...families].join(', ')})`,
  )
}

/** A key of a cluster may be a URI of any kind. */
function withoutSecrets(clusterKey: string): string {
  return clusterKey.replace(/\/\/[^/@]*@/, '//')
}
