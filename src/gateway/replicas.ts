/**
 * Copies of regions for reads, of tables with a REGION_REPLICATION above 1. HBase opens each region on so many servers and lets one of
 * them write. In a store of our own a copy is another name for the region: a read of it sees all that the region has. A cluster tells
 * its copies and their servers. HBase: RegionReplicaUtil.
 */

import type { TableDescriptor } from '../model/descriptor.ts'
import { replicaName } from '../model/region-name.ts'
import { replication } from '../model/region-replication.ts'
import type { TableName } from '../model/table-name.ts'
import { type Call, onOwnBehalf } from '../store/call.ts'
import { copyOfEncodedName } from '../store/copy-search.ts'
import type { AdvertisedCatalog, AdvertisedRegion } from './advertised.ts'

/** A region, or a copy of it. */
export interface Replica extends AdvertisedRegion {
  /** 0: the region that is written. */
  readonly replica: number
  /** The region that is written. */
  readonly first: AdvertisedRegion
}

/** False for a region or a copy that is closed by itself, though its table may be enabled. */
export function isOpen({ replica, first }: Pick<Replica, 'replica' | 'first'>): boolean {
  return first.closedReplicas?.includes(replica) !== true
}

/** Each region of a store of our own with its copies behind it. */
export function withReplicas(regions: readonly AdvertisedRegion[], table: TableDescriptor): Replica[] {
  const numbers = Array.from({ length: replication(table) }, (_, replica) => replica)
  return regions.flatMap((region) =>
    numbers.map((replica) => ({
      ...region,
      ...(replica > 0 && replicaName(region.name, replica)),
      replica,
      first: region,
    })),
  )
}

/** The table's regions and their copies, in order. Throws TABLE_NOT_FOUND. */
export async function replicasOf(
  catalog: AdvertisedCatalog,
  table: TableName,
  call: Call,
): Promise<Replica[]> {
  const regions = await catalog.regions(table, call)
  if (catalog.hasSystemTables) return regions.flatMap(withToldCopies)
  return withReplicas(regions, await catalog.table(table, onOwnBehalf(call)))
}

/**
 * The region or copy of that encoded name, which is a digest; undefined where the table has none. Throws TABLE_NOT_FOUND. The names of
 * a store's own copies have to be made.
 */
export async function replicaNamed(
  catalog: AdvertisedCatalog,
  table: TableName,
  encodedName: string,
  call: Call,
): Promise<Pick<Replica, 'replica' | 'first'> | undefined> {
  const regions = await catalog.regions(table, call)
  const first = regions.find((region) => region.encodedName === encodedName)
  if (first !== undefined) return { first, replica: 0 }
  if (catalog.hasSystemTables)
    return regions.flatMap(withToldCopies).find((copy) => copy.encodedName === encodedName)
  const copies = replication(await catalog.table(table, onOwnBehalf(call))) - 1
  if (copies === 0) return undefined
  const found = await copyOfEncodedName(regions, () => copies, encodedName)
  return found && { first: found.region, replica: found.replica }
}

function withToldCopies(first: AdvertisedRegion): Replica[] {
  const copies = (first.copies ?? []).map(({ replica, server }) => ({
    ...first,
    ...replicaName(first.name, replica),
    server,
    replica,
    first,
  }))
  return [{ ...first, replica: 0, first }, ...copies]
}
