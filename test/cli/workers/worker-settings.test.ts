import { expect, test } from 'vitest'
import type { WorkerPlace } from '../../../src/cli/workers/messages.ts'
import { checkShares, settingsOfWorker } from '../../../src/cli/workers/worker-settings.ts'
import { parsedSettings } from '../parsed-settings.ts'

const CLUSTER = ['--store', 'hbase:127.0.0.1:1']

function placeOf(number: number): WorkerPlace {
  return { number, slot: number, startedAt: 1, folder: '/f', cookieSecret: '/f/secret' }
}

test('several processes share the limits of clients, whose parts are the whole, and the memory', () => {
  const limits = [
    '--connections-max',
    '10',
    '--scanners-max',
    '11',
    '--client-scanners-max',
    '3',
    '--sessions-max',
    '5',
  ]
  const settings = parsedSettings(...CLUSTER, '--processes', '3', '--memory-max', '1g', ...limits)
  const each = [1, 2, 3].map((number) => settingsOfWorker(settings, placeOf(number)))
  const parts = (name: 'connectionsMax' | 'scannersMax' | 'clientScannersMax' | 'sessionsMax'): number[] =>
    each.map((worker) => worker.limits[name])
  expect(parts('connectionsMax')).toEqual([4, 3, 3])
  expect(parts('scannersMax')).toEqual([4, 4, 3])
  expect(parts('clientScannersMax')).toEqual([1, 1, 1])
  expect(parts('sessionsMax')).toEqual([2, 2, 1])
  const memory = each.reduce((sum, { memoryBytesMax }) => sum + memoryBytesMax, 0)
  expect(memory).toBeLessThanOrEqual(2 ** 30 - 64 * 2 ** 20)
  expect(memory).toBeGreaterThan(0.9 * 2 ** 30)
  expect(each[2]!.limits.batchMax).toBe(settings.limits.batchMax)
})

test('the first process alone tells of settings that have no effect', () => {
  const settings = parsedSettings(...CLUSTER, '--processes', '2', '-D', 'no.such=1')
  expect(settingsOfWorker(settings, placeOf(1)).unread.defined).toHaveLength(1)
  expect(settingsOfWorker(settings, placeOf(2)).unread.defined).toEqual([])
})

test('all processes sign cookies with one secret: that of the settings, or one of their own', () => {
  const kerberos = ['--kerberos-service-keytab', '/k']
  const fileOf = (...more: string[]): string | undefined =>
    settingsOfWorker(parsedSettings(...CLUSTER, '--processes', '2', ...kerberos, ...more), placeOf(2)).guard
      ?.kerberos?.cookie.secretFile
  expect(fileOf()).toBe('/f/secret')
  expect(fileOf('-D', 'hbase.rest.authentication.signature.secret.file=/own')).toBe('/own')
})

test('ports that were chosen go before those of the settings', () => {
  const settings = parsedSettings(...CLUSTER, '--processes', '2', '--rest', '0', '--web', 'off')
  const place = { ...placeOf(1), ports: { rest: 4711 } }
  expect(settingsOfWorker(settings, place).ports).toMatchObject({ rest: 4711, web: 'off', thrift: 9090 })
})

test.each([
  [['--scanners-max', '1'], '--scanners-max 1 is less than --processes 2: each process needs a part of it.'],
  [['--memory-max', '200m'], '--memory-max leaves each of 2 processes 68m: a process needs 96m'],
])('%j is refused with two processes', (args, message) => {
  const settings = parsedSettings(...CLUSTER, '--processes', '2', ...args)
  expect(() => checkShares(settings)).toThrow(message)
})

test.each(['0', '-1', '65', '1.5', '02', '', 'all'])('--processes %j is refused', (text) => {
  expect(() => parsedSettings(...CLUSTER, `--processes=${text}`)).toThrow('a whole number from 1 to 64')
})

test.each([
  ['native:./data', 'the folder of the embedded engine belongs to one process'],
  ['memory', 'the memory store is the memory of one process'],
])('several processes before %s are refused', (store, reason) => {
  expect(() => parsedSettings('--store', store, '--processes', '2')).toThrow(
    `--processes 2 needs a cluster behind it (--store hbase:...): ${reason}.`,
  )
  expect(parsedSettings('--store', store, '--processes', '1').processes).toBe(1)
})
