/** How many servers a table asks for each of its regions. HBase: TableDescriptor.getRegionReplication. */

import type { TableDescriptor } from './descriptor.ts'
import { wholeNumber } from './family-checks.ts'

/** The most copies of a region that are shown: a table may ask for millions, which HBase would never open. */
export const REPLICAS_MAX = 100

/** How often a table's regions are served, the ones that are written among them. */
export function replication({ attributes }: TableDescriptor): number {
  return Math.max(1, Math.min(REPLICAS_MAX, wholeNumber(attributes, 'REGION_REPLICATION', 1)))
}
