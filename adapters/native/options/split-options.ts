import { SPLIT_POLICIES } from '../../../src/model/table-checks.ts'
import { decimal, flag, javaClass, type SettingsOf, whole } from './settings.ts'

/** When regions are split by themselves. Defaults are HBase's. */
export interface SplitOptions {
  /** Name of the policy, with or without HBase's package. A table may state its own. HBase: hbase.regionserver.region.split.policy. */
  readonly policy: string
  /** A region is split when its files are larger. A table may state its own as MAX_FILESIZE. HBase: hbase.hregion.max.filesize. */
  readonly fileBytesMax: number
  /** The part of fileBytesMax by which it varies from region to region. HBase: hbase.hregion.max.filesize.jitter. */
  readonly jitter: number
  /** Size of a table's only region at which it is split; undefined: twice its flush size. HBase: hbase.increasing.policy.initial.size. */
  readonly initialBytes: number | undefined
  /** The number of regions from which on the engine splits none by itself. HBase: hbase.regionserver.regionSplitLimit. */
  readonly regionsMax: number
  /** Whether all files of a region count together, not each family's by themselves. HBase: hbase.hregion.split.overallfiles. */
  readonly overallFiles: boolean
  /** Whether a region stays whole whose namespace has all the regions that it may have. HBase: hbase.quota.enabled. */
  readonly keepsNamespaceLimits: boolean
}

export const DEFAULT_SPLIT_OPTIONS: SplitOptions = {
  policy: 'org.apache.hadoop.hbase.regionserver.SteppingSplitPolicy',
  fileBytesMax: 10 * 1024 ** 3,
  jitter: 0.25,
  initialBytes: undefined,
  regionsMax: 1000,
  overallFiles: false,
  keepsNamespaceLimits: false,
}

/** HBase loads the class of this name, so a name without its package is refused. */
const POLICIES = Object.fromEntries([...SPLIT_POLICIES].map((name) => [name, name]))

export const SPLIT_SETTINGS: Required<SettingsOf<SplitOptions>> = {
  policy: javaClass(POLICIES, 'hbase.regionserver.region.split.policy'),
  fileBytesMax: whole(1, 'hbase.hregion.max.filesize'),
  jitter: decimal(0, 'hbase.hregion.max.filesize.jitter'),
  initialBytes: whole(1, 'hbase.increasing.policy.initial.size'),
  regionsMax: whole(0, 'hbase.regionserver.regionSplitLimit'),
  overallFiles: flag('hbase.hregion.split.overallfiles'),
  keepsNamespaceLimits: flag('hbase.quota.enabled'),
}
