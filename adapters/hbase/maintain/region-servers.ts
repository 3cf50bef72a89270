/** Calls of the servers that have a table's regions: flushes and compactions are theirs, not the master's. */

import type { Compaction, CompactionState, Maintenance } from '../../../src/maintenance.ts'
import { toStringBinary } from '../../../src/model/bytes.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { AdminService, GetRegionInfoResponse_CompactionState } from '../../../src/wire/rpc/gen/admin_pb.ts'
import {
  type RegionSpecifier,
  RegionSpecifier_RegionSpecifierType,
} from '../../../src/wire/rpc/gen/hbase_pb.ts'
import { type RpcMethod, rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { type LocatedRegion, NO_SERVER } from '../cluster/meta-row.ts'
import { invalidRegion, type NamedRegions } from './named-regions.ts'

/** Regions of a table that are asked side by side. */
const CALLS_MAX = 64

const COMPACT_REGION = rpcMethod(AdminService.method.compactRegion)
const FLUSH_REGION = rpcMethod(AdminService.method.flushRegion)
const GET_REGION_INFO = rpcMethod(AdminService.method.getRegionInfo)

type Specifier = Pick<RegionSpecifier, 'type' | 'value'>

/** The region was split or merged since it was named. */
class RegionGone extends HBaseError {
  constructor(name: Buffer) {
    super('ILLEGAL_ARGUMENT', `Invalid region: ${toStringBinary(name)}`)
  }
}

export class RegionServers
  implements Pick<Maintenance, 'compactTable' | 'compactRegion' | 'compactionState' | 'flushRegion'>
{
  readonly #cluster: Cluster
  readonly #named: NamedRegions

  constructor(cluster: Cluster, named: NamedRegions) {
    this.#cluster = cluster
    this.#named = named
  }

  async compactTable(table: TableName, compaction: Compaction): Promise<void> {
    await this.#cluster.checkEnabled(table)
    await this.#onRegionsOf(table, (region) => this.#compact(region, compaction))
  }

  async compactRegion(name: Buffer, compaction: Compaction): Promise<void> {
    await this.#compact(await this.#region(name), compaction)
  }

  async compactionState(table: TableName): Promise<CompactionState> {
    const states = await this.#onRegionsOf(table, async (region) => {
      const operation = `compaction state of ${table}`
      const { compactionState } = await this.#call(operation, region, GET_REGION_INFO, (specifier) => ({
        region: specifier,
        compactionState: true,
      }))
      return compactionState
    })
    return together(states)
  }

  async flushRegion(name: Buffer, family?: Buffer): Promise<void> {
    const region = await this.#region(name)
    const operation = `flush of ${toStringBinary(name)}`
    await this.#call(operation, region, FLUSH_REGION, (specifier) => ({
      region: specifier,
      ...(family && { family }),
    }))
  }

  async #compact(region: LocatedRegion, { family, major }: Compaction): Promise<void> {
    const operation = `compaction of ${toStringBinary(region.name)}`
    await this.#call(operation, region, COMPACT_REGION, (specifier) => ({
      region: specifier,
      major,
      ...(family && { family }),
    }))
  }

  async #region(name: Buffer): Promise<LocatedRegion> {
    const region = await this.#named.find(name, this.#cluster.retrier.deadline())
    if (region === undefined) throw invalidRegion(name)
    return region
  }

  /** What each region answers, in any order; those on no server, or split and merged meanwhile, are passed over. */
  async #onRegionsOf<T>(table: TableName, call: (region: LocatedRegion) => Promise<T>): Promise<T[]> {
    const regions = await this.#cluster.regions(table, this.#cluster.retrier.deadline())
    const waiting = regions.filter(({ server }) => server !== NO_SERVER)
    const answers: T[] = []
    const callNext = async (): Promise<void> => {
      for (let region = waiting.pop(); region !== undefined; region = waiting.pop()) {
        try {
          answers.push(await call(region))
        } catch (error) {
          if (!(error instanceof RegionGone)) throw error
        }
      }
    }
    await Promise.all(Array.from({ length: Math.min(CALLS_MAX, waiting.length) }, callNext))
    return answers
  }

  /** Wherever the region is by then. */
  #call<Request, Response>(
    operation: string,
    { table, startKey, name }: LocatedRegion,
    method: RpcMethod<Request, Response>,
    request: (specifier: Specifier) => Request,
  ): Promise<Response> {
    const { retrier } = this.#cluster
    return this.#cluster.onRegion(
      operation,
      table,
      startKey,
      retrier.deadline(),
      async (connection, found, { timeoutMs }) => {
        if (!found.name.equals(name)) throw new RegionGone(name)
        const specifier = { type: RegionSpecifier_RegionSpecifierType.REGION_NAME, value: name }
        return (await connection.call(method, request(specifier), { timeoutMs })).message
      },
      'AdminService',
    )
  }
}

function together(states: readonly GetRegionInfoResponse_CompactionState[]): CompactionState {
  const { MINOR, MAJOR, MAJOR_AND_MINOR } = GetRegionInfoResponse_CompactionState
  const both = states.includes(MAJOR_AND_MINOR)
  const [major, minor] = [both || states.includes(MAJOR), both || states.includes(MINOR)]
  if (major && minor) return 'MAJOR_AND_MINOR'
  if (major) return 'MAJOR'
  return minor ? 'MINOR' : 'NONE'
}
