import { mebibytes } from '../compare/footprint.ts'
import { rowTable } from './by-rows.ts'
import { GrowthServer } from './growth-server.ts'
import { createGrowthTable, fillGrowthTable, flush, getsOf, scanRate } from './growth-table.ts'
import { flat, type Point, ROUND_MS, type Series } from './series.ts'

const STEPS = [10, 100, 1000, 10_000, 100_000, 1_000_000]
const ROWS_MAX = 100_000
const TOTAL_BYTES_MAX = 200_000_000
const CLIENTS = 16
const MB = 1e6
/** Up to the first size, a call costs the same for all sizes; from the second on its bytes make the cost. */
const [SMALL, LARGE] = [1000, 100_000]

async function measure(valueBytes: number): Promise<Point> {
  const server = await GrowthServer.start()
  try {
    const table = rowTable(Math.min(ROWS_MAX, Math.floor(TOTAL_BYTES_MAX / valueBytes)), valueBytes)
    await createGrowthTable(server.store)
    const puts = await fillGrowthTable(server.store, table)
    await flush(server.store)
    const scans = await scanRate(server.store, table)
    const gets = await getsOf(server, table, CLIENTS, ROUND_MS)
    return {
      step: valueBytes,
      figures: {
        'gets a second': gets.callsPerSecond,
        'MB got a second': (gets.callsPerSecond * valueBytes) / MB,
        'p99 of a get, ms': gets.p99Ms,
        'MB put a second': (puts * valueBytes) / MB,
        'MB scanned a second': (scans * valueBytes) / MB,
        'resident MiB': mebibytes(server.residentBytes()),
      },
    }
  } finally {
    await server.stop()
  }
}

export const byValues: Series = {
  name: 'values',
  grows: 'bytes of a value',
  strips: [
    { figure: 'gets a second', title: `gets a second, ${CLIENTS} connections` },
    { figure: 'MB got a second', title: 'MB of values got a second' },
    { figure: 'MB scanned a second', title: 'MB of values scanned a second, one scan' },
    { figure: 'MB put a second', title: 'MB of values put a second, in batches' },
    { figure: 'resident MiB', title: 'resident MiB' },
  ],
  async run(tell) {
    const points: Point[] = []
    for (const bytes of STEPS) {
      const point = await measure(bytes)
      points.push(point)
      tell(point)
    }
    return points
  },
  judge: (points) => [
    flat(
      points.filter(({ step }) => Number(step) <= SMALL),
      'gets a second',
    ),
    flat(
      points.filter(({ step }) => Number(step) >= LARGE),
      'MB got a second',
    ),
  ],
}
