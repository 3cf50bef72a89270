/** Tall: a row for each pair of term and ad. The key says it all: the value is empty. Rows of a popular term may spread over regions. */

import { keysOf } from '../ad-tables.ts'
import { INDEX_TABLES } from '../tables.ts'
import type { Pattern } from './pattern.ts'
import { adsWanting, POPULAR, RARE, termHash } from './search-terms.ts'

export const tallIndex: Pattern = {
  question: 'Which ads want a term, of an index with a row for each of them?',
  run: async ({ tables, ads, report }) => {
    const index = tables.of(INDEX_TABLES.tall)
    await index.create([{ name: 'd', VERSIONS: '1' }])
    for (const term of [POPULAR, RARE]) {
      await index.put(
        adsWanting(term, ads).map((ad) => ({ key: `${termHash(term)},${ad}`, column: 'd:', $: '' })),
      )
    }
    for (const term of [RARE, POPULAR]) {
      const found = await report.timed(
        (cells) => `${cells.length} rows of "${term}" (${termHash(term)})`,
        () => index.scanPrefix(`${termHash(term)},`),
      )
      report.some(keysOf(found), 2)
      const wanting = keysOf(found).map((row) => row.slice(row.indexOf(',') + 1))
      report.check(`the ads that want "${term}"`, wanting, adsWanting(term, ads))
    }
  },
}
