/** Parents come first in keys, so that everything below one object lies side by side: one scan of a prefix reads it. */

import { counted } from '../../shared/report.ts'
import { keysOf, shown } from '../ad-tables.ts'
import { ADS_PER_ADVERTISER, ADS_PER_GROUP } from '../hierarchy.ts'
import { TABLES } from '../tables.ts'
import type { Pattern } from './pattern.ts'

export const clusteredScan: Pattern = {
  question: 'Which ad groups has advertiser 1?',
  run: async ({ tables, ads, report }) => {
    const groups = await report.timed(
      ({ length }) => counted(length, 'row'),
      () => tables.of(TABLES.group).scanPrefix('1,'),
    )
    report.some(groups.map(shown), 3)
    report.check('they are those of advertiser 1', groups.length, ADS_PER_ADVERTISER / ADS_PER_GROUP)

    // The comma ends the id: without it the prefix is that of 10, 11, 100 ..., too.
    const campaigns = tables.of(TABLES.campaign)
    const [one, tooMany] = [await campaigns.scanPrefix('1,'), await campaigns.scanPrefix('1')]
    report.say(`the prefix "1," has ${one.length} campaigns, the prefix "1" has ${tooMany.length}`)
    const advertisers = Array.from({ length: ads / ADS_PER_ADVERTISER }, (_, i) => String(i + 1))
    const startingWith1 = advertisers.filter((id) => id.startsWith('1')).length
    report.check(
      'four of each advertiser whose id begins so',
      [one.length, tooMany.length],
      [4, 4 * startingWith1],
    )

    // Keys are compared as bytes, not as numbers, and the comma comes before all digits.
    const inOrder = keysOf(tooMany)
    report.check('rows come in the order of their bytes', inOrder, [...inOrder].sort())
  },
}
