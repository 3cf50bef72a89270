/** Flushes, compactions and store files. The master flushes a whole table. The regions' servers do everything else. */

import { toStringBinary } from '../../../src/model/bytes.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { CompactionState } from '../../../src/store/region-figures.ts'
import type { Compaction, Compactions, Flushes, StoreFileInfo } from '../../../src/store/upkeep.ts'
import { AdminService, GetRegionInfoResponse_CompactionState } from '../../../src/wire/rpc/gen/admin_pb.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { type RpcMethod, rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { tableNameMessage } from '../../../src/wire/rpc/table-name-message.ts'
import type { Master } from '../admin/master.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { type LocatedRegion, NO_SERVER } from '../cluster/meta-row.ts'
import { fullNameSpecifier, type Specifier } from '../messages/region-specifier.ts'
import { InvalidRegion, type NamedRegions } from './named-regions.ts'

/** The most calls of a table's regions in parallel. */
const CALLS_MAX = 64

const COMPACT_REGION = rpcMethod(AdminService.method.compactRegion)
const FLUSH_TABLE = rpcMethod(MasterService.method.flushTable)
const FLUSH_REGION = rpcMethod(AdminService.method.flushRegion)
const GET_REGION_INFO = rpcMethod(AdminService.method.getRegionInfo)
const GET_STORE_FILE = rpcMethod(AdminService.method.getStoreFile)

export class RegionServers implements Flushes, Compactions, StoreFileInfo {
  readonly #cluster: Cluster
  readonly #master: Master
  readonly #named: NamedRegions

  constructor(cluster: Cluster, master: Master, named: NamedRegions) {
    this.#cluster = cluster
    this.#master = master
    this.#named = named
  }

  async flushTable(table: TableName, call: Call): Promise<void> {
    const tableName = tableNameMessage(table)
    await this.#master.change(`flush of table ${table}`, FLUSH_TABLE, call, (nonce) => ({
      tableName,
      ...nonce,
    }))
  }

  async compactTable(table: TableName, compaction: Compaction, call: Call): Promise<void> {
    await this.#cluster.checkEnabled(table, call)
    await this.#onRegionsOf(table, call, (region) => this.#compact(region, compaction, call))
  }

  async compactRegion(name: Buffer, compaction: Compaction, call: Call): Promise<void> {
    await this.#compact(await this.#region(name, call), compaction, call)
  }

  async compactionState(table: TableName, call: Call): Promise<CompactionState> {
    const states = await this.#onRegionsOf(table, call, async (region) => {
      const operation = `compaction state of ${table}`
      const { compactionState } = await this.#call(operation, region, GET_REGION_INFO, call, (specifier) => ({
        region: specifier,
        compactionState: true,
      }))
      return compactionState
    })
    return combinedState(states)
  }

  async flushRegion(name: Buffer, family: Buffer | undefined, call: Call): Promise<boolean> {
    const region = await this.#region(name, call)
    const operation = `flush of ${toStringBinary(name)}`
    const { flushed } = await this.#call(operation, region, FLUSH_REGION, call, (specifier) => ({
      region: specifier,
      ...(family && { family }),
    }))
    return flushed
  }

  async storeFiles(name: Buffer, families: readonly Buffer[], call: Call): Promise<string[]> {
    const region = await this.#named.find(name, call)
    if (region === undefined) return []
    const operation = `store files of ${toStringBinary(name)}`
    const { storeFile } = await this.#call(operation, region, GET_STORE_FILE, call, (specifier) => ({
      region: specifier,
      family: [...families],
    }))
    return storeFile
  }

  async #compact(region: LocatedRegion, { family, major }: Compaction, call: Call): Promise<void> {
    const operation = `compaction of ${toStringBinary(region.name)}`
    await this.#call(operation, region, COMPACT_REGION, call, (specifier) => ({
      region: specifier,
      major,
      ...(family && { family }),
    }))
  }

  async #region(name: Buffer, call: Call): Promise<LocatedRegion> {
    const region = await this.#named.find(name, call)
    if (region === undefined) throw new InvalidRegion(name)
    return region
  }

  /** The regions' answers, in any order, without regions that have no server or were split or merged meanwhile. */
  async #onRegionsOf<T>(
    table: TableName,
    call: Call,
    ask: (region: LocatedRegion) => Promise<T>,
  ): Promise<T[]> {
    const regions = await this.#cluster.regions(table, call)
    const open = regions.filter(({ server }) => server !== NO_SERVER)
    const answers: T[] = []
    const failures: { readonly index: number; readonly error: unknown }[] = []
    let asked = 0
    const askNext = async (): Promise<void> => {
      while (asked < open.length && failures.length === 0) {
        const index = asked++
        try {
          answers.push(await ask(open[index]!))
        } catch (error) {
          if (!(error instanceof InvalidRegion)) failures.push({ index, error })
        }
      }
    }
    await Promise.all(Array.from({ length: Math.min(CALLS_MAX, open.length) }, askNext))
    // HBase's client asks one region after the other, so it reports the failure of the first region in the table.
    const [first] = failures.sort((a, b) => a.index - b.index)
    if (first !== undefined) throw first.error
    return answers
  }

  /** Calls the server that has the region now. */
  #call<Request, Response>(
    operation: string,
    { table, startKey, name }: LocatedRegion,
    method: RpcMethod<Request, Response>,
    call: Call,
    request: (specifier: Specifier) => Request,
  ): Promise<Response> {
    return this.#cluster.onRegion(
      { operation, rowOperation: 'Get', target: table, row: startKey, call },
      async (connection, found, attempt) => {
        if (!found.name.equals(name)) throw new InvalidRegion(name)
        return (await connection.call(method, request(fullNameSpecifier(name)), attempt)).message
      },
      'AdminService',
    )
  }
}

function combinedState(states: readonly GetRegionInfoResponse_CompactionState[]): CompactionState {
  const { MINOR, MAJOR, MAJOR_AND_MINOR } = GetRegionInfoResponse_CompactionState
  const both = states.includes(MAJOR_AND_MINOR)
  const [major, minor] = [both || states.includes(MAJOR), both || states.includes(MINOR)]
  if (major && minor) return 'MAJOR_AND_MINOR'
  if (major) return 'MAJOR'
  return minor ? 'MINOR' : 'NONE'
}
