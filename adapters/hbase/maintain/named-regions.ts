/** Regions by the names that clients send, in full or encoded. HBase: HBaseAdmin.getRegion, RegionInfo.isEncodedRegionName. */

import { EMPTY, toStringBinary } from '../../../src/model/bytes.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { META_REGION, META_TABLE } from '../../../src/model/meta-table.ts'
import { parseRegionName, parseReplicaName, regionName } from '../../../src/model/region-name.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import { AdminService } from '../../../src/wire/rpc/gen/admin_pb.ts'
import { RemoteException } from '../../../src/wire/rpc/remote-exception.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { tableNameFromMessage } from '../../../src/wire/rpc/table-name-message.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { copyOf, type LocatedCopy, type LocatedRegion } from '../cluster/meta-row.ts'
import { encodedNameSpecifier } from '../messages/region-specifier.ts'

const GET_REGION_INFO = rpcMethod(AdminService.method.getRegionInfo)
const ENCODED_NAME = /^(?:[0-9a-f]{32}|1588230740)$/

interface RegionKey {
  readonly table: TableName
  /** The full name of the region itself, not of a copy. */
  readonly name: Buffer
  /** The number of the copy; undefined: the region itself. */
  readonly replica?: number
}

export class NamedRegions {
  readonly #cluster: Cluster

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  /** The region or copy as hbase:meta describes it, perhaps without a server; undefined for an unknown or malformed name. */
  async find(name: Buffer, call: Call): Promise<LocatedRegion | LocatedCopy | undefined> {
    const key = fullKey(name) ?? (await this.#keyOfEncoded(name, call))
    if (key === undefined) return undefined
    const region = await this.#cluster.retrier.retrying(searchName(name), call, (attempt) =>
      this.#cluster.locator.named(key.table, key.name, attempt),
    )
    return region && copyOf(region, key.replica ?? 0)
  }

  /** Asks the master for the region with that encoded name: a client would have to read all of hbase:meta. */
  async #keyOfEncoded(name: Buffer, call: Call): Promise<RegionKey | undefined> {
    if (!ENCODED_NAME.test(name.toString('latin1'))) return undefined
    const region = encodedNameSpecifier(name)
    const info = await this.#cluster.onMaster(
      searchName(name),
      call,
      async (connection, attempt) => {
        try {
          const { message } = await connection.call(GET_REGION_INFO, { region }, attempt)
          return message.regionInfo
        } catch (error) {
          if (isUnknownName(error)) return undefined
          throw error
        }
      },
      'AdminService',
    )
    if (info === undefined) return undefined
    const table = tableNameFromMessage(info.tableName!)
    if (table === META_TABLE) return META_REGION
    const { name: first } = regionName(table, Buffer.from(info.startKey ?? EMPTY), Number(info.regionId))
    return { table, name: first, replica: info.replicaId }
  }
}

/** The region is unknown, or was split or merged since it was named. HBase: HBaseAdmin.getRegion. */
export class InvalidRegion extends HBaseError {
  constructor(name: Buffer) {
    super('ILLEGAL_ARGUMENT', `Invalid region: ${toStringBinary(name)}`)
  }
}

function fullKey(name: Buffer): RegionKey | undefined {
  if (name.equals(META_REGION.name)) return META_REGION
  const copy = parseReplicaName(name)
  const first = copy?.first.name ?? name
  const parsed = parseRegionName(first)
  return parsed && { table: parsed.table as TableName, name: first, replica: copy?.replica ?? 0 }
}

/** True where the master knows no such name: it then parses the name as a full one and fails with a plain IOException. */
function isUnknownName(error: unknown): boolean {
  return error instanceof RemoteException && error.javaClass === 'java.io.IOException'
}

function searchName(name: Buffer): string {
  return `finding region ${toStringBinary(name)}`
}
