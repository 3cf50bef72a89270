/**
 * A file of cells that are all older than a range of time is not read. One label of the far future makes its file one that every range to
 * the end of time must read, unless labels have a family, and so files, of their own.
 */

import { blockReads } from '../../shared/block-reads.ts'
import { openFlusher } from '../../shared/flush.ts'
import { counted } from '../../shared/report.ts'
import { family, newCell } from '../entity.ts'
import { askedOf, LAYOUTS, type Layout } from '../layouts.ts'
import { year } from '../time.ts'
import type { Part, Workplace } from './part.ts'

const ENTITIES = 500
const [FIRST_YEAR, LAST_YEAR] = [2004, 2013]

/** Small blocks, so that there is something to count, and a file for each year that no compaction puts together. */
const ATTRIBUTES = { BLOCKSIZE: '4096', 'hbase.hstore.compaction.min': '100' }

async function fill(
  { newTable, server }: Workplace,
  { table: name, labelColumn, labelTime }: Layout,
): Promise<void> {
  const table = await newTable(name, [family('t', ATTRIBUTES), family('m', ATTRIBUTES)])
  const flusher = await openFlusher(server)
  const keys = Array.from({ length: ENTITIES }, (_, i) => `e${String(i).padStart(4, '0')}`)
  await table.put(keys.map((key) => newCell(labelColumn, 'house', labelTime(FIRST_YEAR), key)))
  for (let number = FIRST_YEAR; number <= LAST_YEAR; number++) {
    const rate = (1 + (number % 7) / 100).toFixed(2)
    await table.put(keys.map((key) => newCell('t:v', rate, year(number), key)))
    await flusher.flush(name)
  }
  await flusher.close()
}

export const fileSkipping: Part = {
  question: `What do the rates of ${LAST_YEAR} with their labels cost, of ${LAST_YEAR - FIRST_YEAR + 1} files?`,
  run: async (workplace) => {
    const { server, report } = workplace
    const blocks = new Map<string, number>()
    report.say(`${'the label is'.padEnd(37)} ${'query'.padEnd(10)} requests   bytes  blocks`)
    for (const layout of LAYOUTS) {
      await fill(workplace, layout)
      for (const [query, rows] of [
        ['one row', 'e0042'],
        [counted(ENTITIES, 'row'), '*'],
      ] as const) {
        const before = await blockReads(server)
        const { requests, bytes, cells } = await askedOf(layout, rows, LAST_YEAR, server)
        const read = (await blockReads(server)) - before
        blocks.set(`${layout.name}, ${query}`, read)
        const figures = [String(requests).padStart(8), String(bytes).padStart(7), String(read).padStart(7)]
        report.say(`${layout.name.padEnd(37)} ${query.padEnd(10)} ${figures.join(' ')}`)
        const wanted = rows === '*' ? 2 * ENTITIES : 2
        if (cells !== wanted) report.check(`${layout.name}: a rate and a label each`, cells, wanted)
      }
    }
    const of = (layout: Layout): number => blocks.get(`${layout.name}, ${ENTITIES} rows`)!
    const [ownTime, shifted, shiftedApart, ownTimeApart] = LAYOUTS.map(of) as [number, number, number, number]
    if (ownTime === 0) return report.say('this server does not tell how many blocks it reads')
    report.check('the shift saves a request, and most files', shifted < ownTime / 2, true)
    report.check('a family of its own saves the file of the first year, too', shiftedApart < shifted, true)
    report.check('and does so without the shift, for a request more', ownTimeApart, shiftedApart)
  },
}
