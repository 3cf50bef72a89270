/** Delegation tokens in the query, as Hadoop's older clients send them, are in no log. */

import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import type { RequestLog } from '../../../src/gateway/observing/logs/access-log.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { type TimelineServer, timelineServer } from './timeline-server.ts'

const SECRET = 'AbC-dEf_gHi'

let server: TimelineServer
let lines: string[]
let log: string
beforeEach(async () => {
  lines = []
  log = ''
  const access: RequestLog = { showsRows: true, write: (line) => void lines.push(JSON.stringify(line)) }
  const logger = pino({ level: 'trace' }, { write: (line: string) => void (log += line) })
  const store = openMemoryStore({ clock: { now: Date.now } })
  let isDamaged = false
  const get = store.rows.get.bind(store.rows)
  Object.assign(store.rows, {
    get: (...args: Parameters<typeof get>) =>
      isDamaged ? Promise.reject(new HBaseError('CORRUPTION', 'a block is damaged')) : get(...args),
  })
  server = await timelineServer({}, store, { access, logger })
  isDamaged = true
})
afterEach(() => server.close())

test.each(['delegation', 'token', 'DELEGATION', 'access_token'])('the parameter %s', async (name) => {
  for (const path of [
    `/ws/v1/timeline/T?limit=1&${name}=${SECRET}&fields=events`,
    `/ws/v1/timeline/none/at/all?${name}=${SECRET}`,
    `/ws/v1/timeline/T/e?${name}=${SECRET}`,
  ])
    await server.ask(path)
  await expect.poll(() => lines.length).toBe(3)
  expect(lines[0]).toContain(`limit=1&${name}=(hidden)&fields=events`)
  expect(log).toContain('(hidden)')
  expect(lines.join('\n') + log).not.toContain(SECRET)
})
