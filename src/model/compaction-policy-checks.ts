/** Rules of HBase's master for families whose files expire whole. HBase: TableDescriptorChecker.checkCompactionPolicy. */

import {
  type FamilyDescriptor,
  minVersionsOf,
  type TableDescriptor,
  timeToLiveSecondsOf,
} from './descriptor.ts'
import { wholeNumber } from './family-checks.ts'
import { TTL_FOREVER } from './time-to-live.ts'

const POLICY = 'hbase.hstore.defaultengine.compactionpolicy.class'
const FIFO = 'org.apache.hadoop.hbase.regionserver.compactions.FIFOCompactionPolicy'
const BLOCKING_FILES = 'hbase.hstore.blockingStoreFiles'
const BLOCKING_FILES_DEFAULT = 16
const BLOCKING_FILES_MIN = 1000
const NONE: ReadonlyMap<string, string> = new Map()

/** The faults of a table's compaction policies. Of a family only the configuration counts, not the attributes. */
export function* compactionPolicyFaults({ attributes, families }: TableDescriptor): Generator<string> {
  let blockingFiles: number | undefined
  for (const family of families) {
    const configuration = family.configuration ?? NONE
    if ((configuration.get(POLICY) ?? attributes.get(POLICY)) !== FIFO) continue
    yield* expiryFaults(family)
    blockingFiles ??= wholeNumber(attributes, BLOCKING_FILES, BLOCKING_FILES_DEFAULT)
    // The number of one family counts for those behind it that state none.
    blockingFiles = wholeNumber(configuration, BLOCKING_FILES, blockingFiles)
    if (blockingFiles < BLOCKING_FILES_MIN) {
      yield `Blocking file count '${BLOCKING_FILES}' ${blockingFiles} is below recommended minimum of ` +
        `${BLOCKING_FILES_MIN} for column family ${family.name.toString()}`
    }
  }
}

function* expiryFaults(family: FamilyDescriptor): Generator<string> {
  if (timeToLiveSecondsOf(family) === TTL_FOREVER) yield 'Default TTL is not supported for FIFO compaction'
  if (minVersionsOf(family) > 0) yield 'MIN_VERSION > 0 is not supported for FIFO compaction'
}
