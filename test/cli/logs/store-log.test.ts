import { expect, test } from 'vitest'
import { serverLog } from '../../../src/cli/logs/server-log.ts'
import { type StoreLog, storeLog } from '../../../src/cli/logs/store-log.ts'
import { HBaseError } from '../../../src/model/errors.ts'

function open(): { readonly log: StoreLog; readonly lines: Readonly<Record<string, unknown>>[] } {
  const lines: Readonly<Record<string, unknown>>[] = []
  const logger = serverLog('info', {
    write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
  })
  return { log: storeLog(logger, { store: 'native:/s' }), lines }
}

const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })

test('a failure of the store is told with its cause and what to do, not as a name and a code', () => {
  const { log, lines } = open()
  const error = new HBaseError('IO', 'the store file cannot be written', { cause: full })
  log('error', 'the flush of region r failed', { error })
  expect(lines).toMatchObject([
    {
      store: 'native:/s',
      msg: 'the flush of region r failed: the store file cannot be written: ENOSPC: no space left on device, write; free space on the disk of the store, nothing else is needed',
      error: {
        code: 'IO',
        reason: 'the store file cannot be written: ENOSPC: no space left on device, write',
      },
    },
  ])
  expect(lines[0]!['error']).not.toHaveProperty('stack')
})

test('one that happens again and again has one line', () => {
  const { log, lines } = open()
  for (let i = 0; i < 100; i++) log('error', 'the flush of region r failed', { error: full })
  log('info', 'the store file was written')
  expect(lines.map(({ level }) => level)).toEqual([50, 30])
})

test('a full disk is one incident, whatever it meets, until no writes are taken any more', () => {
  const { log, lines } = open()
  for (let region = 0; region < 50; region++)
    log('error', `the flush of region ${region} failed`, { error: full })
  log('error', 'a compaction of region 1 failed', { error: new HBaseError('IO', 'no', { cause: full }) })
  log('error', 'the log cannot be written', { error: full, outage: true })
  log('error', 'the flush of region 1 failed', { error: new Error('a bug') })
  expect(lines.map(({ msg }) => String(msg).slice(0, 28))).toEqual([
    'the flush of region 0 failed',
    'the log cannot be written: E',
    'the flush of region 1 failed',
  ])
})
