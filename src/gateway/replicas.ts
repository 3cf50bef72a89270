/**
 * Copies of regions for reads, of tables with a REGION_REPLICATION above 1. HBase opens each region on so many servers and lets one of
 * them write. In a store of our own a copy is another name for the region: a read of it sees all that the region has. A cluster tells
 * its copies and their servers. HBase: RegionReplicaUtil.
 */

import type { TableDescriptor } from '../model/descriptor.ts'
import { wholeNumber } from '../model/family-checks.ts'
import { type RegionName, replicaName } from '../model/region-name.ts'
import type { TableName } from '../model/table-name.ts'
import { type Call, onOwnBehalf } from '../store/call.ts'
import type { AdvertisedCatalog, AdvertisedRegion } from './advertised.ts'

/** A region, or a copy of it. */
export interface Replica extends AdvertisedRegion {
  /** 0: the region that is written. */
  readonly replica: number
  /** The region that is written. */
  readonly first: RegionName
}

/** As many of a region are shown: a table may ask for millions, which HBase would never open. */
export const REPLICAS_MAX = 100

/** How often a table's regions are shown, the ones that are written among them. */
export function replication({ attributes }: TableDescriptor): number {
  return Math.max(1, Math.min(REPLICAS_MAX, wholeNumber(attributes, 'REGION_REPLICATION', 1)))
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
