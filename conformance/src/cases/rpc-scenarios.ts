/** All scenarios over native RPC: its own, and the reads of scenarios about the store. */

import type { Scenario } from '../runner/case.ts'
import { engineHistory } from './engine-history.ts'
import { engineScan } from './engine-scan.ts'
import { filterCompare } from './filter-compare.ts'
import { filterMerge } from './filter-merge.ts'
import { filterWords } from './filter-words.ts'
import { rpcAdmin } from './rpc-admin.ts'
import { rpcEndpoint } from './rpc-endpoint.ts'
import { rpcGet } from './rpc-get.ts'
import { rpcMaster } from './rpc-master.ts'
import { rpcMulti } from './rpc-multi.ts'
import { rpcMutate } from './rpc-mutate.ts'
import { rpcOnDemand } from './rpc-on-demand.ts'
import { rpcQuotas } from './rpc-quotas.ts'
import { rpcReleases } from './rpc-releases.ts'
import { rpcReplicaMoves } from './rpc-replica-moves.ts'
import { rpcReplicas } from './rpc-replicas.ts'
import { rpcRowOptions } from './rpc-row-options.ts'
import { rpcScan } from './rpc-scan.ts'
import { rpcSmallBlocks } from './rpc-small-blocks.ts'
import { rpcTwin } from './rpc-twins.ts'

/** One of so many of the long lists: the same code reads the rest. */
const SOME = 4

export const RPC_SCENARIOS: readonly Scenario[] = [
  rpcGet,
  rpcMutate,
  rpcMulti,
  rpcRowOptions,
  rpcReleases,
  rpcReplicas,
  rpcReplicaMoves,
  rpcOnDemand,
  rpcScan,
  rpcSmallBlocks,
  rpcMaster,
  rpcAdmin,
  rpcQuotas,
  rpcEndpoint,
  rpcTwin(engineScan, 'scan'),
  rpcTwin(engineHistory, 'history', SOME),
  rpcTwin(filterCompare, 'filter', SOME),
  rpcTwin(filterWords, 'filter', SOME),
  rpcTwin(filterMerge, 'filter', SOME),
]
