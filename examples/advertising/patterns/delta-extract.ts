/** What has changed since the last extract: a scan of a time range. The end of one extract is the beginning of the next. */

import { counted } from '../../shared/report.ts'
import type { NewCell } from '../../shared/rest-table.ts'
import { keysOf, newCell, shown } from '../ad-tables.ts'
import { adObject, pathOf } from '../hierarchy.ts'
import { key, TABLES } from '../tables.ts'
import type { Pattern } from './pattern.ts'

const HOUR = 3_600_000

export const deltaExtract: Pattern = {
  question: 'Which ads have changed in an hour, and which in the next?',
  run: async ({ tables, storedAt, report }) => {
    const table = tables.of(TABLES.ad)
    const [from, to] = [storedAt + HOUR, storedAt + 2 * HOUR]
    await table.put([changed(20, from), changed(40, to - 1), changed(60, to), changed(80, from - 1)])

    const extracts = []
    for (const [startTime, endTime] of [
      [from, to],
      [to, to + HOUR],
    ] as const) {
      const delta = await report.timed(
        ({ length }) => counted(length, 'row'),
        () => table.scan({ startTime, endTime }),
      )
      report.some(delta.map(shown), 5)
      extracts.push(keysOf(delta))
    }
    report.check('a change at the beginning counts, one at the end does not', extracts[0], keysOfAds(20, 40))
    report.check('the next extract has that one', extracts[1], keysOfAds(60))
  },
}

function changed(ad: number, at: number): NewCell {
  return newCell(key(...pathOf(ad)), { ...adObject(ad), bid: 500 }, at)
}

function keysOfAds(...ads: readonly number[]): string[] {
  return ads.map((ad) => key(...pathOf(ad)))
}
