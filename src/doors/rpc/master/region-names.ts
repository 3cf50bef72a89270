/** The regions that requests to the master name. */

import { HBaseError } from '../../../model/errors.ts'
import { regionName } from '../../../model/region-name.ts'
import type { RegionUpkeep, Upkeep } from '../../../store/upkeep.ts'
import type { RegionInfo, RegionSpecifier } from '../../../wire/rpc/gen/hbase_pb.ts'
import { requestedTable } from './table-messages.ts'

/** The name in full or the encoded one: the store tells them apart. */
export function specifiedName(region: RegionSpecifier | undefined): Buffer {
  return Buffer.from(region!.value)
}

/** Of the region itself where the message is of a copy of it. */
export function nameOfInfo({ tableName, startKey, regionId }: RegionInfo): Buffer {
  return regionName(requestedTable(tableName), Buffer.from(startKey), Number(regionId)).name
}

/** Throws UNSUPPORTED where the store looks after its regions itself. */
export function regionsOf({ regions }: Upkeep): RegionUpkeep {
  if (regions === undefined) throw new HBaseError('UNSUPPORTED', 'this store looks after its regions itself')
  return regions
}
