/** Splits, merges, moves, opens and closes regions through the master. HBase: HBaseAdmin. */

import type { MessageInitShape } from '@bufbuild/protobuf'
import { toStringBinary } from '../../../src/model/bytes.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import { unknownRegion } from '../../../src/store/refusals.ts'
import { checkIsOneTable, checkMergesSeveral, checkSplitsWithin } from '../../../src/store/region-refusals.ts'
import type { RegionUpkeep } from '../../../src/store/upkeep.ts'
import type { RegionInfoSchema } from '../../../src/wire/rpc/gen/hbase_pb.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { type RpcMethod, rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { tableNameMessage } from '../../../src/wire/rpc/table-name-message.ts'
import type { Master, ProcedureNonce } from '../admin/master.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { LocatedCopy, LocatedRegion } from '../cluster/meta-row.ts'
import { regionHasRow } from '../cluster/region-cache.ts'
import { encodedNameSpecifier, fullNameSpecifier, type Specifier } from '../messages/region-specifier.ts'
import type { NamedRegions } from './named-regions.ts'

const { method } = MasterService
const SPLIT_REGION = rpcMethod(method.splitRegion)
const MERGE_REGIONS = rpcMethod(method.mergeTableRegions)
const MOVE_REGION = rpcMethod(method.moveRegion)
const ASSIGN_REGION = rpcMethod(method.assignRegion)
const TRUNCATE_REGION = rpcMethod(method.truncateRegion)
const UNASSIGN_REGION = rpcMethod(method.unassignRegion)

export class RegionChanges implements RegionUpkeep {
  readonly #cluster: Cluster
  readonly #master: Master
  readonly #named: NamedRegions

  constructor(cluster: Cluster, master: Master, named: NamedRegions) {
    this.#cluster = cluster
    this.#master = master
    this.#named = named
  }

  async splitTable(table: TableName, at: Buffer | undefined, call: Call): Promise<void> {
    const regions = await this.#cluster.regions(table, call)
    const chosen = at === undefined ? regions : regions.filter((region) => regionHasRow(region, at))
    const outcomes = await Promise.allSettled(chosen.map((region) => this.#split(region, at, call)))
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }

  async splitRegion(name: Buffer, at: Buffer | undefined, call: Call): Promise<void> {
    await this.#split(await this.#region(name, call), at, call)
  }

  async mergeRegions(names: readonly Buffer[], forcible: boolean, call: Call): Promise<void> {
    checkMergesSeveral(names)
    const regions = await Promise.all(names.map((name) => this.#region(name, call)))
    const [{ table }] = regions as [LocatedRegion]
    checkIsOneTable(regions.map((region) => region.table))
    await this.#change(`merge of regions of ${table}`, table, MERGE_REGIONS, call, (nonce) => ({
      region: regions.map(byEncodedName),
      forcible,
      ...nonce,
    }))
  }

  async moveRegion(name: Buffer, target: ServerName | undefined, call: Call): Promise<void> {
    const destServerName = target && {
      hostName: target.host,
      port: target.port,
      startCode: BigInt(target.startCode),
    }
    const region = byEncodedName(await this.#region(name, call))
    const request = { region, ...(destServerName && { destServerName }) }
    await this.#master.ask(`move of ${toStringBinary(name)}`, MOVE_REGION, request, call)
  }

  async assignRegion(name: Buffer, call: Call): Promise<void> {
    const region = byFullName(await this.#region(name, call))
    await this.#master.ask(`assignment of ${toStringBinary(name)}`, ASSIGN_REGION, { region }, call)
  }

  async unassignRegion(name: Buffer, call: Call): Promise<void> {
    const region = byFullName(await this.#region(name, call))
    await this.#master.ask(`closing of ${toStringBinary(name)}`, UNASSIGN_REGION, { region }, call)
  }

  async truncateRegion(name: Buffer, call: Call): Promise<void> {
    const region = await this.#region(name, call)
    const regionInfo = infoOf(region)
    const operation = `truncation of ${toStringBinary(name)}`
    await this.#change(operation, region.table, TRUNCATE_REGION, call, (nonce) => ({ regionInfo, ...nonce }))
  }

  async #split(region: LocatedRegion, at: Buffer | undefined, call: Call): Promise<void> {
    const { table, name } = region
    checkSplitsWithin(at, region)
    const regionInfo = infoOf(region)
    await this.#change(`split of ${toStringBinary(name)}`, table, SPLIT_REGION, call, (nonce) => ({
      regionInfo,
      ...(at && { splitRow: at }),
      ...nonce,
    }))
  }

  /** Forgets the table's regions: the change replaces them. */
  async #change<Request>(
    operation: string,
    table: TableName,
    rpc: RpcMethod<Request, { readonly procId: bigint }>,
    call: Call,
    request: (nonce: ProcedureNonce) => Request,
  ): Promise<void> {
    try {
      await this.#master.change(operation, rpc, call, request)
    } finally {
      this.#cluster.locator.forgetTable(table)
    }
  }

  async #region(name: Buffer, call: Call): Promise<LocatedRegion | LocatedCopy> {
    const region = await this.#named.find(name, call)
    if (region === undefined) throw unknownRegion(name)
    return region
  }
}

function byEncodedName({ encodedName }: LocatedRegion): Specifier {
  return encodedNameSpecifier(Buffer.from(encodedName))
}

/** The full name, since AssignRegion and UnassignRegion take no encoded names. */
function byFullName({ name }: LocatedRegion): Specifier {
  return fullNameSpecifier(name)
}

function infoOf({
  table,
  startKey,
  endKey,
  regionId,
  replica = 0,
}: LocatedRegion & Partial<LocatedCopy>): MessageInitShape<typeof RegionInfoSchema> {
  return {
    regionId: BigInt(regionId),
    tableName: tableNameMessage(table),
    startKey,
    endKey,
    offline: false,
    split: false,
    replicaId: replica,
  }
}
