import { createHash } from 'node:crypto'
import { GrowthServer } from './growth-server.ts'
import { createGrowthTable, fillGrowthTable, type GrowthTable, writesByRegion } from './growth-table.ts'
import type { Judgement, Point, Series } from './series.ts'

const REGIONS = 16
const ROWS = 200_000
/** Of evenly spread writes a region gets a sixteenth; twice that is still called even. */
const EVEN_SHARE_MAX = 2 / REGIONS
const FIRST_TIME = Date.UTC(2026, 0, 1)
const SECONDS_A_ROW = 5
const DIGITS = 16

/** One event every few seconds of a source. */
function time(row: number): string {
  return new Date(FIRST_TIME + row * SECONDS_A_ROW * 1000).toISOString()
}

export interface KeyScheme {
  readonly name: string
  readonly table: GrowthTable
  readonly splits: readonly string[]
}

const HEX_SPLITS = Array.from({ length: REGIONS - 1 }, (_, i) => (i + 1).toString(DIGITS))
/** A region for each of the last days, as of a table that was split when its rows came. */
const DAY_SPLITS = Array.from({ length: REGIONS - 1 }, (_, i) =>
  new Date(FIRST_TIME - (REGIONS - 1 - i) * 86_400_000).toISOString().slice(0, 10),
)

export const KEY_SCHEMES: readonly KeyScheme[] = [
  { name: 'led by time', splits: DAY_SPLITS, table: { rows: ROWS, valueBytes: 100, key: time } },
  {
    name: 'salted',
    splits: HEX_SPLITS,
    table: { rows: ROWS, valueBytes: 100, key: (row) => `${(row % REGIONS).toString(DIGITS)}-${time(row)}` },
  },
  {
    name: 'hashed',
    splits: HEX_SPLITS,
    table: {
      rows: ROWS,
      valueBytes: 100,
      key: (row) => createHash('md5').update(time(row)).digest('hex'),
    },
  },
]

async function measure({ name, table, splits }: KeyScheme): Promise<Point> {
  const server = await GrowthServer.start()
  try {
    await createGrowthTable(server.store, splits)
    const puts = await fillGrowthTable(server.store, table)
    const writes = await writesByRegion(server.store)
    const all = writes.reduce((sum, count) => sum + count, 0)
    const byRegion = Object.fromEntries(
      writes.map((count, region) => [`writes of region ${region + 1}`, count]),
    )
    return {
      step: name,
      figures: {
        'rows put a second': puts,
        'share of the busiest region': Math.max(...writes) / all,
        ...byRegion,
      },
    }
  } finally {
    await server.stop()
  }
}

function isEven({ step, figures }: Point): Judgement {
  const share = figures['share of the busiest region']!
  return {
    what: `${step}: the busiest of ${REGIONS} regions has ${share.toFixed(3)} of the writes, at most ${EVEN_SHARE_MAX}`,
    holds: share <= EVEN_SHARE_MAX,
  }
}

export const byKeys: Series = {
  name: 'keys',
  grows: `the scheme of keys: ${ROWS} rows into ${REGIONS} regions`,
  strips: [
    { figure: 'rows put a second', title: 'rows put a second, in batches' },
    { figure: 'share of the busiest region', title: 'share of the busiest region in the writes' },
  ],
  async run(tell) {
    const points: Point[] = []
    for (const scheme of KEY_SCHEMES) {
      const point = await measure(scheme)
      points.push(point)
      tell(point)
    }
    return points
  },
  judge: (points) => points.filter(({ step }) => step !== 'led by time').map(isEven),
}
