import { diskMiB, mebibytes } from '../compare/footprint.ts'
import { GrowthServer } from './growth-server.ts'
import {
  createGrowthTable,
  fillGrowthTable,
  flush,
  type GrowthTable,
  getsOf,
  scanRate,
} from './growth-table.ts'
import { atMost, flat, type Point, ROUND_MS, type Series } from './series.ts'

const STEPS = [10_000, 100_000, 1_000_000, 10_000_000]
const CLIENTS = 16
const START_MS_MAX = 2000

/** Keys in the order in which they are written. */
export function rowTable(rows: number, valueBytes = 100): GrowthTable {
  return { rows, valueBytes, key: (row) => `row${String(row).padStart(9, '0')}` }
}

async function measure(rows: number): Promise<Point> {
  const server = await GrowthServer.start()
  try {
    const table = rowTable(rows)
    await createGrowthTable(server.store)
    const puts = await fillGrowthTable(server.store, table)
    const killedStart = await server.restart('SIGKILL')
    await flush(server.store)
    const stoppedStart = await server.restart('SIGTERM')
    const scans = await scanRate(server.store, table)
    const gets = await getsOf(server, table, CLIENTS, ROUND_MS)
    return {
      step: rows,
      figures: {
        'rows put a second': puts,
        'gets a second': gets.callsPerSecond,
        'p99 of a get, ms': gets.p99Ms,
        'rows scanned a second': scans,
        'start after a kill, ms': killedStart,
        'start after a stop, ms': stoppedStart,
        'resident MiB': mebibytes(server.residentBytes()),
        'MiB on disk': diskMiB(server.folder),
      },
    }
  } finally {
    await server.stop()
  }
}

export const byRows: Series = {
  name: 'rows',
  grows: 'rows of 100 bytes',
  strips: [
    { figure: 'gets a second', title: `gets a second, ${CLIENTS} connections` },
    { figure: 'rows scanned a second', title: 'rows scanned a second, one scan' },
    { figure: 'rows put a second', title: 'rows put a second, in batches' },
    { figure: 'start after a kill, ms', title: 'start after kill -9, ms' },
    { figure: 'resident MiB', title: 'resident MiB' },
    { figure: 'MiB on disk', title: 'MiB on disk' },
  ],
  async run(tell, { rowsMax }) {
    const points: Point[] = []
    for (const rows of STEPS) {
      if (rows > rowsMax) continue
      const point = await measure(rows)
      points.push(point)
      tell(point)
    }
    return points
  },
  judge: (points) => [
    flat(points, 'gets a second'),
    flat(points, 'rows scanned a second'),
    atMost(points, 'start after a kill, ms', START_MS_MAX),
    atMost(points, 'start after a stop, ms', START_MS_MAX),
  ],
}
