import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { TimelineService } from '../../../src/doors/timeline/service/timeline-service.ts'
import { readTimelineSettings } from '../../../src/doors/timeline/service/timeline-settings.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { rowsOf, tableNames } from './timeline-server.ts'

const HOUR = 3_600_000
const BEGIN = Date.UTC(2026, 10, 21, 22)
const NO_ENTITY = {
  startTime: undefined,
  domain: undefined,
  events: [],
  related: new Map(),
  filters: new Map(),
  info: new Map(),
}

let now: number
let store: Store
let service: TimelineService

beforeEach(() => {
  now = BEGIN + 1000
  store = openMemoryStore({ clock: { now: () => now } })
  service = serviceOf({ 'yarn.timeline-service.ttl-ms': String(2 * HOUR) })
})

afterEach(() => service.close())

function serviceOf(properties: Readonly<Record<string, string>>): TimelineService {
  const settings = readTimelineSettings(new Map(Object.entries(properties)))
  return new TimelineService({
    store,
    limits: DEFAULT_LIMITS,
    settings,
    logger: pino({ level: 'silent' }),
    now: () => now,
  })
}

async function put(id: string, start: number | undefined, domain?: string): Promise<void> {
  const startTime = start === undefined ? undefined : BigInt(start)
  const errors = await service.writer.put(
    [{ ...NO_ENTITY, type: 't', id, startTime, domain }],
    'alice',
    OWN_CALL,
  )
  expect(errors).toEqual([])
}

const isThere = async (id: string): Promise<boolean> =>
  (await service.reader.entity({ type: 't', id }, new Set(), { call: OWN_CALL })) !== undefined

describe('what is older than its time to live', () => {
  test('goes by whole periods, and its start times one by one', async () => {
    await service.ready()
    await put('a', BEGIN + 10)
    await put('none', undefined)
    now += HOUR
    await put('b', BEGIN + HOUR + 10)
    now += HOUR
    await put('c', BEGIN + 2 * HOUR + 10)
    now = BEGIN + 3 * HOUR - 1
    expect(await service.retention!.sweep(OWN_CALL)).toEqual({ startTimes: 2, periods: 0, domains: 0 })
    now = BEGIN + 3 * HOUR + 5
    expect(await service.retention!.sweep(OWN_CALL)).toEqual({ startTimes: 0, periods: 1, domains: 0 })
    expect(await tableNames(store)).toEqual([
      'domain',
      'entity.2026-11-21-23',
      'entity.2026-11-22-00',
      'indexes.2026-11-21-23',
      'indexes.2026-11-22-00',
      'owner',
      'starttime',
    ])
    expect((await rowsOf(store, 'starttime')).map(([key]) => key)).toEqual([
      't\0b',
      't\0c',
      'timeline-store-version',
    ])
    expect(await Promise.all(['a', 'none', 'b', 'c'].map(isThere))).toEqual([false, false, true, true])
  })

  test('expires for those who put it again', async () => {
    await service.ready()
    await put('a', BEGIN + 10)
    now += 4 * HOUR
    await put('b', now)
    await service.retention!.sweep(OWN_CALL)
    const errors = await service.writer.put(
      [{ ...NO_ENTITY, type: 't', id: 'late', startTime: BigInt(BEGIN) }],
      'alice',
      OWN_CALL,
    )
    expect(errors).toEqual([{ type: 't', id: 'late', code: 7 }])
  })

  test('takes domains with it that no period uses any more, but not DEFAULT', async () => {
    await service.ready()
    const domain = { readers: '*', writers: '*', description: undefined, owner: 'alice' }
    for (const id of ['old', 'both', 'unused', 'fresh'])
      await service.domains.put({ ...domain, id }, OWN_CALL)
    await put('a', BEGIN + 10, 'old')
    await put('b', BEGIN + 10, 'both')
    await put('c', BEGIN + 10, 'fresh')
    await put('d', BEGIN + 10)
    now = BEGIN + 4 * HOUR
    await put('e', now, 'both')
    await service.domains.put({ ...domain, id: 'fresh' }, OWN_CALL)
    expect(await service.retention!.sweep(OWN_CALL)).toEqual({ startTimes: 4, periods: 1, domains: 1 })
    const left = async (): Promise<string[]> =>
      (await service.domains.ofOwner('alice', OWN_CALL)).map(({ id }) => id).sort()
    expect(await left()).toEqual(['both', 'fresh', 'unused'])
    expect(await service.domains.get('old', OWN_CALL)).toBeUndefined()
    expect(await service.domains.get('DEFAULT', OWN_CALL)).toBeDefined()
    now += 4 * HOUR
    await service.retention!.sweep(OWN_CALL)
    expect(await left()).toEqual(['unused'])
  })

  test('goes at the start of a server, and stays where nothing expires', async () => {
    await service.ready()
    await put('a', BEGIN + 10)
    now += 5 * HOUR
    await service.close()
    service = serviceOf({ 'yarn.timeline-service.ttl-enable': 'false' })
    await service.ready()
    expect(service.retention).toBeUndefined()
    expect(await isThere('a')).toBe(true)
    service = serviceOf({ 'yarn.timeline-service.ttl-ms': String(2 * HOUR) })
    await service.ready()
    await vi.waitFor(async () => expect(await tableNames(store)).toEqual(['domain', 'owner', 'starttime']))
  })
})

test.each([
  [{ 'yarn.timeline-service.ttl-ms': '0' }, 'greater than zero'],
  [{ 'yarn.timeline-service.ttl-enable': 'yes' }, 'true or false'],
  [{ 'yarn.timeline-service.rolling-period': 'weekly' }, 'one of DAILY'],
])('%j is refused', (properties, reason) => {
  expect(() => readTimelineSettings(new Map(Object.entries(properties)))).toThrow(reason)
})
