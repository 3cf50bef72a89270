/** Age counts from a cell's time: what lies in the future has none, and never expires. */

import { ENTITY, family, LABEL, newCell, RATE, valuesOf } from '../entity.ts'
import { SHIFT } from '../time.ts'
import type { TimePart } from './part.ts'

const DAY = 86_400_000
const WEEK_SECONDS = '604800'

export const timeToLive: TimePart = {
  question: 'Does a shifted label expire?',
  run: async ({ newTable, report }) => {
    const table = await newTable('timeshift_ttl', [
      family('t', { TTL: WEEK_SECONDS }),
      family('m', { TTL: WEEK_SECONDS }),
    ])
    const [lastWeek, yesterday] = [Date.now() - 8 * DAY, Date.now() - DAY]
    await table.put([
      newCell(RATE, '0.87', lastWeek),
      newCell(RATE, '1.09', yesterday),
      newCell(LABEL, 'house', lastWeek + SHIFT),
    ])
    const found = valuesOf(await table.get(ENTITY, { v: 100 }))
    report.say(
      `cells of 8 days and of 1 day, and a label of 8 days, in families that keep a week: ${found.join(', ')}`,
    )
    report.check('figures expire, the label does not', found, ['house', '1.09'])
  },
}
