/**
 * A file of cells that are all older than a range of time is not read. One label of the far future makes its file one that every range to
 * the end of time must read, unless labels have a family, and so files, of their own.
 */

import { blockReads } from '../../shared/block-reads.ts'
import { openFlusher } from '../../shared/flush.ts'
import { family, newCell } from '../entity.ts'
import { type Asked, askedOf, LAYOUTS, type Layout } from '../layouts.ts'
import { year } from '../time.ts'
import type { TimePart, Workplace } from './part.ts'

const ENTITIES = 500
const [FIRST_YEAR, LAST_YEAR] = [2008, 2013]

/** Small blocks, so that there is something to count, and a file for each year that no compaction puts together. */
const ATTRIBUTES = { BLOCKSIZE: '4096', 'hbase.hstore.compaction.min': '100' }

/** The question, and how many blocks of files the server has read for it. */
interface Measured extends Asked {
  readonly blocks: number | undefined
}

export const fileSkipping: TimePart = {
  question: `What do the rates of ${LAST_YEAR} with their labels cost, of ${LAST_YEAR - FIRST_YEAR + 1} files?`,
  run: async (workplace) => {
    const { report } = workplace
    const [rows, scans]: [Measured[], Measured[]] = [[], []]
    report.say(`${'the label is'.padEnd(37)} query      requests   bytes  blocks`)
    for (const layout of LAYOUTS) {
      await fill(workplace, layout)
      const row = await measured(workplace, layout, 'e0042')
      const scan = await measured(workplace, layout, '*')
      report.say(`${layout.name.padEnd(37)} one row    ${figures(row)}`)
      report.say(`${layout.name.padEnd(37)} ${ENTITIES} rows   ${figures(scan)}`)
      rows.push(row)
      scans.push(scan)
    }
    const cells = [...rows, ...scans].map(({ cells }) => cells)
    const wanted = [...rows.map(() => 2), ...scans.map(() => 2 * ENTITIES)]
    report.check('each of them brings a rate and a label for each entity', cells, wanted)
    const [ownTime, shifted, shiftedApart, ownTimeApart] = scans.map(({ blocks }) => blocks)
    if (ownTime === undefined) return report.say('this server does not tell how many blocks it reads')
    report.check('the shift saves a request, and most files', shifted! < ownTime / 2, true)
    report.check('a family of its own saves the file of the first year, too', shiftedApart! < shifted!, true)
    report.check('and does so without the shift, for a request more', ownTimeApart, shiftedApart)
  },
}

/** Rates and labels of all entities, and a file for each year. */
async function fill(
  { newTable, server }: Workplace,
  { table: name, labelColumn, labelTime }: Layout,
): Promise<void> {
  const table = await newTable(name, [family('t', ATTRIBUTES), family('m', ATTRIBUTES)])
  const flusher = await openFlusher(server)
  const keys = Array.from({ length: ENTITIES }, (_, i) => `e${String(i).padStart(4, '0')}`)
  await table.put(keys.map((key) => newCell(labelColumn, 'house', labelTime(FIRST_YEAR), key)))
  for (let number = FIRST_YEAR; number <= LAST_YEAR; number++) {
    await table.put(keys.map((key) => newCell('t:v', '1.09', year(number), key)))
    await flusher.flush(name)
  }
  await flusher.close()
}

async function measured({ server }: Workplace, layout: Layout, rows: string): Promise<Measured> {
  const before = await blockReads(server)
  const asked = await askedOf(layout, rows, LAST_YEAR, server)
  const after = await blockReads(server)
  return { ...asked, blocks: before === undefined || after === undefined ? undefined : after - before }
}

function figures({ requests, bytes, blocks }: Measured): string {
  return [String(requests).padStart(8), String(bytes).padStart(7), String(blocks ?? '?').padStart(7)].join(
    ' ',
  )
}
