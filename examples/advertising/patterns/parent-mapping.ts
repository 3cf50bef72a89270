/** An ad's key needs its parents' ids. Who knows only the ad's id gets the key from the parent mapping: a get, then a get. */

import { objectOf, shown } from '../ad-tables.ts'
import { adObject, pathOf } from '../hierarchy.ts'
import { key, TABLES } from '../tables.ts'
import type { Pattern } from './pattern.ts'

const AD = 77

export const parentMapping: Pattern = {
  question: `What is ad ${AD}, of which only the id is known?`,
  run: async ({ tables, report }) => {
    const found = await report.timed(
      () => '2 rows',
      async () => {
        const mapping = await tables.of(TABLES.parent).get(key('AD', AD))
        const ad = await tables.of(TABLES.ad).get(String(objectOf(mapping[0]!)['key']))
        return [...mapping, ...ad]
      },
    )
    report.some(found.map(shown), 2)
    const [, ad] = found
    report.check('the mapping names the parents', ad?.key, key(...pathOf(AD)))
    report.check('the row is the ad', objectOf(ad!), adObject(AD))
  },
}
