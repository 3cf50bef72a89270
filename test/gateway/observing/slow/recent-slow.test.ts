import { pino } from 'pino'
import { expect, test } from 'vitest'
import { RecentSlow } from '../../../../src/gateway/observing/slow/recent-slow.ts'
import { SlowLines } from '../../../../src/gateway/observing/slow/slow-lines.ts'

test('the last operations are kept, also those beyond the lines that a second has', async () => {
  const recent = new RecentSlow(10)
  let now = 0
  let lines = 0
  const logger = pino({ level: 'warn' }, { write: () => lines++ })
  const slow = new SlowLines(10, logger, () => now, recent)
  const run = (table: string, ms: number): Promise<void> => {
    const named = { operation: 'get', table, client: undefined, user: undefined }
    return slow.timed(
      named,
      async () => {
        now += ms
      },
      () => ({ bytes: 1 }),
    )
  }
  await run('fast', 9)
  expect(recent.list()).toEqual([])
  for (let i = 0; i < 250; i++) {
    now = 1_000_000
    await run(`t${i}`, 10)
  }
  expect([recent.count, recent.list().length, recent.limitMs]).toEqual([250, 200, 10])
  expect(lines).toBe(20)
  expect(recent.list()[0]).toMatchObject({
    operation: 'get',
    table: 't249',
    storeMs: 10,
    figures: { bytes: 1 },
  })
  expect(recent.list().at(-1)).toMatchObject({ table: 't50' })
})
