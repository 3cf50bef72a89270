/**
 * Wide: a row for each term, a column for each ad. A row is changed as one, but never split: the row of a popular term grows without
 * end in one region. It is read in pages of columns (`batch`), so that neither side holds it whole.
 */

import { INDEX_TABLES } from '../tables.ts'
import type { Pattern } from './pattern.ts'
import { adsWanting, POPULAR, termHash } from './search-terms.ts'

const COLUMNS_PER_PAGE = 250

export const wideIndex: Pattern = {
  question: 'Which ads want a term, of an index with a column for each of them?',
  run: async ({ tables, ads, report }) => {
    const index = tables.of(INDEX_TABLES.wide)
    const row = termHash(POPULAR)
    await index.create([{ name: 'd', VERSIONS: '1' }])
    await index.put(adsWanting(POPULAR, ads).map((ad) => ({ key: row, column: `d:${ad}`, $: '' })))
    const before = tables.client.requests
    const found = await report.timed(
      (cells) => `1 row of ${cells.length} columns`,
      () => index.scan({ startRow: row, endRow: `${row}\0`, batch: COLUMNS_PER_PAGE }),
    )
    // One request opens the scanner, one finds its end, one closes it.
    const pages = tables.client.requests - before - 3
    report.some(
      found.map(({ key, column }) => `${key} ${column}`),
      2,
    )
    report.say(`it came in ${pages} pages of ${COLUMNS_PER_PAGE} columns`)
    report.check(
      `the ads that want "${POPULAR}"`,
      found.map(({ column }) => column.slice('d:'.length)),
      adsWanting(POPULAR, ads),
    )
    report.check('no page is longer', pages, Math.ceil(ads / COLUMNS_PER_PAGE))
  },
}
