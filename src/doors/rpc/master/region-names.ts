/** Reads the names of regions in requests to the master. */

import { HBaseError } from '../../../model/errors.ts'
import { regionName } from '../../../model/region-name.ts'
import { unknownRegion } from '../../../store/refusals.ts'
import type { RegionUpkeep, Upkeep } from '../../../store/upkeep.ts'
import type { RegionInfo, RegionSpecifier } from '../../../wire/rpc/gen/hbase_pb.ts'
import { requestedTable } from './table-messages.ts'

/** The name as the client sends it, full or encoded. The store finds out which of them it is. */
export function specifiedName(region: RegionSpecifier | undefined): Buffer {
  return Buffer.from(region!.value)
}

/** True for a full name: it has the table, the start key and an id, with commas between them. */
function isFull(name: Buffer): boolean {
  return name.includes(',')
}

/**
 * The full name of a region or of a copy of one. Throws DO_NOT_RETRY for an encoded name.
 * QUIRK rpc-replica-moves-names-closed-and-opened-by-its-encoded-name: HBase's master looks such a name up as a full one.
 */
export function fullName(region: RegionSpecifier | undefined): Buffer {
  const name = specifiedName(region)
  if (!isFull(name)) throw unknownRegion(name)
  return name
}

/**
 * The encoded name, even where the client calls it a full one. Throws DO_NOT_RETRY for a full name.
 * QUIRK rpc-replica-moves-names-moved-by-its-name: HBase's master looks a full name up as an encoded one.
 */
export function encodedName(region: RegionSpecifier | undefined): Buffer {
  const name = specifiedName(region)
  if (isFull(name)) throw unknownRegion(name)
  return name
}

/** The full name of a region; for a copy, the name of the region itself. */
export function nameOfInfo({ tableName, startKey, regionId }: RegionInfo): Buffer {
  return regionName(requestedTable(tableName), Buffer.from(startKey), Number(regionId)).name
}

/** The store's upkeep of regions. Throws UNSUPPORTED where the store manages its regions itself. */
export function regionsOf({ regions }: Upkeep): RegionUpkeep {
  if (regions === undefined) throw new HBaseError('UNSUPPORTED', 'this store looks after its regions itself')
  return regions
}
