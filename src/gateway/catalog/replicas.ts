/**
 * Copies of regions for reads, of tables with a REGION_REPLICATION above 1. HBase opens each region on that many servers, and one of
 * them writes. In a store of our own a copy is another name of the region: a read of it sees all of the region's cells. A cluster reports
 * its copies and their servers. HBase: RegionReplicaUtil.
 */

import type { TableDescriptor } from '../../model/descriptor.ts'
import { manyATurn } from '../../model/many-a-turn.ts'
import { replicaName } from '../../model/region-name.ts'
import { replication } from '../../model/region-replication.ts'
import { type Steps } from '../../model/steps.ts'
import type { TableName } from '../../model/table-name.ts'
import { type Call, onOwnBehalf } from '../../store/call.ts'
import { copyOfEncodedName } from '../../store/copy-search.ts'
import type { AdvertisedCatalog, AdvertisedRegion } from './advertised.ts'

/** A region, or a copy of it. */
export interface Replica extends AdvertisedRegion {
  /** The number of the copy; 0: the region itself, which takes writes. */
  readonly replica: number
  /** The region itself. */
  readonly first: AdvertisedRegion
}

/** False for a region or a copy that is closed by itself, though its table may be enabled. */
export function isOpen({ replica, first }: Pick<Replica, 'replica' | 'first'>): boolean {
  return first.closedReplicas?.includes(replica) !== true
}

/** Each region of a store of our own with its copies behind it. */
export function* withReplicas(
  regions: readonly AdvertisedRegion[],
  table: TableDescriptor,
): Steps<Replica[]> {
  const copies = replication(table)
  const replicas: Replica[] = []
  for (const region of regions) {
    for (let replica = 0; replica < copies; replica++) {
      replicas.push(replicaOf(region, replica))
      if (replicas.length % STEP_REPLICAS === 0) yield
    }
  }
  return replicas
}

/** Replicas that are made in a step. */
const STEP_REPLICAS = 256

/** Named field by field: V8 makes a slow object of a spread with this many fields. */
function replicaOf(first: AdvertisedRegion, replica: number): Replica {
  const named = replica > 0 ? replicaName(first.name, replica) : first
  return {
    table: first.table,
    startKey: first.startKey,
    endKey: first.endKey,
    regionId: first.regionId,
    name: named.name,
    encodedName: named.encodedName,
    server: first.server,
    closedReplicas: first.closedReplicas,
    replica,
    first,
  }
}

/** The table's regions and their copies, in order. Throws TABLE_NOT_FOUND. */
export async function replicasOf(
  catalog: AdvertisedCatalog,
  table: TableName,
  call: Call,
): Promise<Replica[]> {
  const regions = await catalog.regions(table, call)
  if (catalog.hasSystemTables) return regions.flatMap(withReportedCopies)
  return manyATurn(withReplicas(regions, await catalog.table(table, onOwnBehalf(call))))
}

/** The regions by encoded name, for each list of regions: a store of our own returns the same list many times. */
const BY_ENCODED_NAME = new WeakMap<readonly AdvertisedRegion[], ReadonlyMap<string, AdvertisedRegion>>()

function byEncodedName(regions: readonly AdvertisedRegion[]): ReadonlyMap<string, AdvertisedRegion> {
  const known = BY_ENCODED_NAME.get(regions)
  if (known !== undefined) return known
  const made = new Map(regions.map((region) => [region.encodedName, region]))
  BY_ENCODED_NAME.set(regions, made)
  return made
}

/**
 * The copy with that number of the region with that encoded name; 0: the region itself. Makes no copy of the table's other regions, of which
 * there may be very many: clients ask for them one by one. Throws TABLE_NOT_FOUND.
 */
export async function replicaOfRegion(
  catalog: AdvertisedCatalog,
  table: TableName,
  { encodedName, replica }: { readonly encodedName: string; readonly replica: number },
  call: Call,
): Promise<Replica | undefined> {
  const regions = await catalog.regions(table, call)
  const first = byEncodedName(regions).get(encodedName)
  if (first === undefined) return undefined
  if (catalog.hasSystemTables) return withReportedCopies(first).find((copy) => copy.replica === replica)
  if (replica === 0) return replicaOf(first, 0)
  return replica < replication(await catalog.table(table, onOwnBehalf(call)))
    ? replicaOf(first, replica)
    : undefined
}

/**
 * The region or copy with that encoded name; undefined where the table has none. Throws TABLE_NOT_FOUND. An encoded name is a digest, so that
 * the names of a store's own copies are made for the comparison.
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
    return regions.flatMap(withReportedCopies).find((copy) => copy.encodedName === encodedName)
  const copies = replication(await catalog.table(table, onOwnBehalf(call))) - 1
  if (copies === 0) return undefined
  const found = await copyOfEncodedName(regions, () => copies, encodedName)
  return found && { first: found.region, replica: found.replica }
}

function withReportedCopies(first: AdvertisedRegion): Replica[] {
  const copies = (first.copies ?? []).map(({ replica, server }) => ({
    ...first,
    ...replicaName(first.name, replica),
    server,
    replica,
    first,
  }))
  return [{ ...first, replica: 0, first }, ...copies]
}
