import { mebibytes } from '../compare/footprint.ts'
import { GrowthServer } from './growth-server.ts'
import { createGrowthTable, fillGrowthTable, type GrowthTable, getsOf, scanRate } from './growth-table.ts'
import { atMost, flat, type Point, ROUND_MS, type Series } from './series.ts'

const STEPS = [1, 10, 100, 1000, 4000]
const ROWS = 100_000
const CLIENTS = 16
const START_MS_MAX = 2000
const HEX_DIGITS = 8

function hex(value: number): string {
  return Math.floor(value).toString(16).padStart(HEX_DIGITS, '0')
}

/** Rows spread evenly over all keys of eight hexadecimal digits. */
const TABLE: GrowthTable = {
  rows: ROWS,
  valueBytes: 100,
  key: (row) => hex(Math.imul(row, 0x9e3779b1) >>> 0),
}

function splits(regions: number): string[] {
  return Array.from({ length: regions - 1 }, (_, i) => hex(((i + 1) * 2 ** 32) / regions))
}

async function measure(regions: number): Promise<Point> {
  const server = await GrowthServer.start()
  try {
    const startedAt = performance.now()
    await createGrowthTable(server.store, splits(regions))
    const createdMs = performance.now() - startedAt
    const puts = await fillGrowthTable(server.store, TABLE)
    const startMs = await server.restart('SIGTERM')
    const scans = await scanRate(server.store, TABLE)
    const gets = await getsOf(server, TABLE, CLIENTS, ROUND_MS)
    return {
      step: regions,
      figures: {
        'gets a second': gets.callsPerSecond,
        'rows scanned a second': scans,
        'rows put a second': puts,
        'making the table, ms': createdMs,
        'start after a stop, ms': startMs,
        'resident MiB': mebibytes(server.residentBytes()),
      },
    }
  } finally {
    await server.stop()
  }
}

export const byRegions: Series = {
  name: 'regions',
  grows: `regions, of a table of ${ROWS} rows`,
  strips: [
    { figure: 'gets a second', title: `gets a second, ${CLIENTS} connections` },
    { figure: 'rows scanned a second', title: 'rows scanned a second, one scan' },
    { figure: 'rows put a second', title: 'rows put a second, in batches over all regions' },
    { figure: 'making the table, ms', title: 'making the table, ms' },
    { figure: 'start after a stop, ms', title: 'start after a stop, ms' },
    { figure: 'resident MiB', title: 'resident MiB' },
  ],
  async run(tell) {
    const points: Point[] = []
    for (const regions of STEPS) {
      const point = await measure(regions)
      points.push(point)
      tell(point)
    }
    return points
  },
  judge: (points) => [flat(points, 'gets a second'), atMost(points, 'start after a stop, ms', START_MS_MAX)],
}
