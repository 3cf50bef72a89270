/** Prefix and value are tested on the server: rows that are not wanted never travel. */

import { endOfPrefix } from '../../shared/rest-table.ts'
import { keysOf, shown } from '../ad-tables.ts'
import { ADS_PER_GROUP, isOn, pathOf } from '../hierarchy.ts'
import { key, TABLES } from '../tables.ts'
import type { Pattern } from './pattern.ts'

const GROUP = 3

/** The package would make base64 of a substring, which HBase takes as it stands; it leaves regular expressions alone. */
const IS_SERVED = {
  type: 'ValueFilter',
  op: 'EQUAL',
  comparator: { type: 'RegexStringComparator', value: '"serving":true' },
}

export const activeAds: Pattern = {
  question: `Which ads of group ${GROUP} are served?`,
  run: async ({ tables, report }) => {
    const firstAd = (GROUP - 1) * ADS_PER_GROUP + 1
    const [advertiser, campaign] = pathOf(firstAd)
    const prefix = `${key(advertiser, campaign, GROUP)},`

    const byFilters = await report.timed(
      ({ length }) => `a filter of prefix and value: ${length} of ${ADS_PER_GROUP} rows`,
      () => {
        const filters = [{ type: 'PrefixFilter', value: prefix }, IS_SERVED]
        const filter = { type: 'FilterList', op: 'MUST_PASS_ALL', filters }
        // Without a start the server would read the table from its beginning.
        return tables.of(TABLES.ad).scan({ startRow: prefix, filter })
      },
    )
    // With an end, too, regions behind it are not even asked.
    const byRange = await report.timed(
      ({ length }) => `a range of rows and a filter of values: ${length} of ${ADS_PER_GROUP} rows`,
      () => tables.of(TABLES.ad).scan({ startRow: prefix, endRow: endOfPrefix(prefix), filter: IS_SERVED }),
    )
    report.some(byFilters.map(shown), ADS_PER_GROUP)
    const numbers = Array.from({ length: ADS_PER_GROUP }, (_, i) => firstAd + i)
    const wanted = numbers.filter(isOn).map((ad) => key(...pathOf(ad)))
    report.check(
      'just those that are on, in both ways',
      [keysOf(byFilters), keysOf(byRange)],
      [wanted, wanted],
    )
  },
}
