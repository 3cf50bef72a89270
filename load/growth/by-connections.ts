import { mebibytes } from '../compare/footprint.ts'
import { rowTable } from './by-rows.ts'
import { GrowthServer } from './growth-server.ts'
import { createGrowthTable, fillGrowthTable, getsOf } from './growth-table.ts'
import { flat, type Point, ROUND_MS, type Series } from './series.ts'

const STEPS = [1, 4, 16, 64, 256, 1000]
const ROWS = 100_000
/** From so many on the server is never without a request. */
const BUSY = 16

export const byConnections: Series = {
  name: 'connections',
  grows: 'connections, each with one get under way',
  strips: [
    { figure: 'gets a second', title: 'gets a second' },
    { figure: 'p50 of a get, ms', title: 'p50 of a get, ms' },
    { figure: 'p99 of a get, ms', title: 'p99 of a get, ms' },
    { figure: 'resident MiB', title: 'resident MiB' },
  ],
  async run(tell) {
    const server = await GrowthServer.start()
    const points: Point[] = []
    try {
      const table = rowTable(ROWS)
      await createGrowthTable(server.store)
      await fillGrowthTable(server.store, table)
      await getsOf(server, table, BUSY, ROUND_MS)
      for (const connections of STEPS) {
        const gets = await getsOf(server, table, connections, ROUND_MS)
        const point = {
          step: connections,
          figures: {
            'gets a second': gets.callsPerSecond,
            'p50 of a get, ms': gets.p50Ms,
            'p99 of a get, ms': gets.p99Ms,
            'resident MiB': mebibytes(server.residentBytes()),
          },
        }
        points.push(point)
        tell(point)
      }
    } finally {
      await server.stop()
    }
    return points
  },
  judge: (points) => [
    flat(
      points.filter(({ step }) => Number(step) >= BUSY),
      'gets a second',
    ),
  ],
}
