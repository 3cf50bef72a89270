/** The access patterns by their names on the command line. */

import type { Parts } from '../shared/parts.ts'
import { activeAds } from './patterns/active-ads.ts'
import { clusteredScan } from './patterns/clustered-scan.ts'
import { commasInUrls } from './patterns/commas-in-urls.ts'
import { deltaExtract } from './patterns/delta-extract.ts'
import { parentMapping } from './patterns/parent-mapping.ts'
import type { Loaded } from './patterns/pattern.ts'
import { pigExtract } from './patterns/pig-extract.ts'
import { switchAdvertiserOffAndOn } from './patterns/switch-advertiser.ts'
import { tallIndex } from './patterns/tall-index.ts'
import { wideIndex } from './patterns/wide-index.ts'

export const PATTERNS: Parts<Loaded> = {
  'clustered-scan': clusteredScan,
  'commas-in-urls': commasInUrls,
  'parent-mapping': parentMapping,
  'active-ads': activeAds,
  'switch-advertiser': switchAdvertiserOffAndOn,
  'tall-index': tallIndex,
  'wide-index': wideIndex,
  'delta-extract': deltaExtract,
  'pig-extract': pigExtract,
}
