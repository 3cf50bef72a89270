import type { TableName } from '../../src/model/table-name.ts'
import type { StoreReach } from '../../src/store/store-reach.ts'
import { type Target, targetRegion, targetTable } from '../../src/store/target.ts'
import { notAsked } from './not-asked.ts'

/** Servers of REST and Thrift know tables alone. Throws UNSUPPORTED for a region. */
export function askedTable(target: Target, reach: StoreReach): TableName {
  if (targetRegion(target) !== undefined) throw notAsked(reach, 'a request of one region')
  return targetTable(target)
}
