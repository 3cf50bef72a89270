import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { documentJson } from '../../../src/doors/timeline/documents/document-json.ts'
import { ALL_FIELDS } from '../../../src/doors/timeline/entities/entity.ts'
import { TimelineImport } from '../../../src/doors/timeline/import/import-timeline.ts'
import { TimelineService } from '../../../src/doors/timeline/service/timeline-service.ts'
import { readTimelineSettings } from '../../../src/doors/timeline/service/timeline-settings.ts'
import { JavaDouble } from '../../../src/doors/timeline/values/timeline-value.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { rowsOf, tableNames } from './timeline-server.ts'

/** As Hadoop 3.3.6 has written it, without its logs. */
const STORE = 'test/doors/timeline/fixtures/hadoop-store'
const LATER = Date.UTC(2026, 11, 1)
const READING = { call: OWN_CALL }

/** What Hadoop's own server answered on the same files. */
const ID_1 = `{"entitytype":"type_1","entity":"id_1","starttime":1425447797805,"events":[{"timestamp":1425447797806,"eventtype":"ev","eventinfo":{"a":1,"b":"x"}},{"timestamp":1425447797800,"eventtype":"bare","eventinfo":{}}],"domain":"DEFAULT","relatedentities":{},"primaryfilters":{"user":[2.0,null,2,"2","u",true]},"otherinfo":{"big":123456789012345678901234567890,"neg":-5000000000,"d":1.5E10,"k":"v","l":[1,[2,{"deep":[{}]}]],"m":{"x":1,"y":{"z":{"w":"é日\\uD83D\\uDE00"}}},"long":"${'x'.repeat(300)}"}}`

let store: Store
let service: TimelineService
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-import-test-'))
  store = openMemoryStore({ clock: { now: () => LATER } })
  const settings = readTimelineSettings(new Map([['yarn.timeline-service.ttl-enable', 'false']]))
  const logger = pino({ level: 'silent' })
  service = new TimelineService({ store, limits: DEFAULT_LIMITS, settings, logger, now: () => LATER })
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('what Hadoop has stored is answered as Hadoop answered it', async () => {
  const before = new Set(readdirSync(STORE, { recursive: true, encoding: 'utf8' }))
  const imported = await new TimelineImport(service, STORE, () => undefined).run()
  expect(imported).toEqual({ periods: 3, entities: 5, domains: 2, leftOut: 0 })
  expect(new Set(readdirSync(STORE, { recursive: true, encoding: 'utf8' }))).toEqual(before)
  expect(await tableNames(store)).toContain('entity.2015-03-04-08')
  const entity = await service.reader.entity({ type: 'type_1', id: 'id_1' }, ALL_FIELDS, READING)
  const sorted = entity?.filters?.get('user')?.length
  expect(sorted).toBe(6)
  const json = documentJson({ kind: 'entity', entity: { ...entity!, filters: new Map() } })
  expect(json).toBe(ID_1.replace(/"primaryfilters":\{.*?\]\}/, '"primaryfilters":{}'))
  for (const id of ['id_2', 'none', 'future'])
    expect(await service.reader.entity({ type: 'type_1', id }, ALL_FIELDS, READING), id).toBeDefined()
  const related = await service.reader.entity({ type: 'type_2', id: 'r1' }, ALL_FIELDS, READING)
  expect(related?.related).toEqual(new Map([['type_1', ['id_1']]]))
  expect(await service.domains.get('d1', OWN_CALL)).toMatchObject({ owner: 'alice', description: 'desc' })
  expect((await service.domains.ofOwner('alice', OWN_CALL)).map(({ id }) => id)).toEqual(['d1'])
  expect((await rowsOf(store, 'starttime')).map(([key]) => key)).toContain('type_1\0id_1')
})

test('imported entities are found by their filters, by type', async () => {
  await new TimelineImport(service, STORE, () => undefined).run()
  const found = async (value: string | number | JavaDouble | null): Promise<string[]> => {
    const query = {
      type: 'type_1',
      limit: 10n,
      windowStart: undefined,
      windowEnd: undefined,
      fromId: undefined,
      fromTs: undefined,
      primaryFilter: { name: 'user', value },
      secondaryFilters: [],
      fields: ALL_FIELDS,
    }
    const entities = await service.reader.entities(query, async () => true, READING)
    return entities.map(({ id }) => id)
  }
  expect(await found('u')).toEqual(['id_2', 'id_1'])
  for (const value of [2, '2', new JavaDouble(2), null]) expect(await found(value)).toEqual(['id_1'])
  expect(await found(3)).toEqual([])
})

test('a folder that is no such store is refused', async () => {
  await expect(new TimelineImport(service, folder, () => undefined).run()).rejects.toThrow(
    'has no starttime-ldb',
  )
})

test('a damaged database is reported, and leaves no files behind', async () => {
  cpSync(STORE, folder, { recursive: true })
  rmSync(join(folder, 'starttime-ldb', 'CURRENT'))
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('tidegate-import-')).length
  await expect(new TimelineImport(service, folder, () => undefined).run()).rejects.toThrow()
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('tidegate-import-')).length).toBe(before)
})
