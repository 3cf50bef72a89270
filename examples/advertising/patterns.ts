/** The access patterns by their names on the command line. */

import { activeAds } from './patterns/active-ads.ts'
import { clusteredScan } from './patterns/clustered-scan.ts'
import { commasInUrls } from './patterns/commas-in-urls.ts'
import { deltaExtract } from './patterns/delta-extract.ts'
import { parentMapping } from './patterns/parent-mapping.ts'
import type { Pattern } from './patterns/pattern.ts'
import { pigExtract } from './patterns/pig-extract.ts'
import { switchAdvertiserOffAndOn } from './patterns/switch-advertiser.ts'
import { tallIndex } from './patterns/tall-index.ts'
import { wideIndex } from './patterns/wide-index.ts'

export const PATTERNS: Readonly<Record<string, Pattern>> = {
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
