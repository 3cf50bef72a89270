import type { TableDescriptor } from './descriptor.ts'

/** HBase: HConstants.HBASE_REGION_SPLIT_POLICY_KEY. A table's attributes go before the settings of the server. */
const KEY = 'hbase.regionserver.region.split.policy'

/** The class of the table's own policy of splits, by either of its keys; undefined where the server's holds. HBase: RegionSplitPolicy.getSplitPolicyClass. */
export function splitPolicyOf({ attributes }: Pick<TableDescriptor, 'attributes'>): string | undefined {
  return attributes.get('SPLIT_POLICY') ?? attributes.get(KEY)
}
