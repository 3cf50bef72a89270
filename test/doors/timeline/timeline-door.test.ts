import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { advertised } from '../../../src/gateway/catalog/advertised.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { readOnly } from '../../../src/gateway/policies/read-only.ts'
import { EMPTY } from '../../../src/model/bytes.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { rowsOf, SERVER, type TimelineServer, tableNames, timelineServer } from './timeline-server.ts'

const START = 1425447797805
const ENTITY = { entity: 'id_1', entitytype: 'type_1', starttime: START }

let servers: TimelineServer[] = []
let server: TimelineServer

async function start(...args: Parameters<typeof timelineServer>): Promise<TimelineServer> {
  const started = await timelineServer(...args)
  servers.push(started)
  return started
}

beforeEach(async () => {
  server = await start()
})

afterEach(async () => {
  for (const each of servers) await each.close()
  servers = []
})

describe('the tables', () => {
  test('are named with the period’s start, and have the keys of the reference', async () => {
    await server.post([{ ...ENTITY, primaryfilters: { user: ['u'] } }])
    expect(await tableNames(server.store)).toEqual([
      'domain',
      'entity.2015-03-04-05',
      'indexes.2015-03-04-05',
      'owner',
      'starttime',
    ])
    expect(await rowsOf(server.store, 'starttime')).toEqual([
      ['timeline-store-version', '\x08\x01\x10\x00'],
      ['type_1\0id_1', Buffer.from('7ffffeb41cb0bbd2', 'hex').toString('latin1')],
    ])
    const key = `type_1\0${Buffer.from('7ffffeb41cb0bbd2', 'hex').toString('latin1')}id_1\0`
    expect(await rowsOf(server.store, 'entity.2015-03-04-05')).toEqual([
      [key, ''],
      [`${key}d`, 'DEFAULT'],
      [`${key}fuser\0\xa1u`, ''],
    ])
    expect(await rowsOf(server.store, 'indexes.2015-03-04-05')).toEqual([[`user\0\xa1u\0${key}`, '']])
  })

  test.each([
    ['DAILY', 'entity.2015-03-04'],
    ['HALF_DAILY', 'entity.2015-03-04-00'],
    ['quarter_daily', 'entity.2015-03-04-00'],
    ['MINUTELY', 'entity.2015-03-04-05-40'],
  ])('of a period that is %s', async (period, name) => {
    const other = await start({ 'yarn.timeline-service.rolling-period': period })
    await other.post([{ ...ENTITY, starttime: START }])
    expect(await tableNames(other.store)).toContain(name)
  })

  test('of another major version are refused', async () => {
    const batch = new MutationBatch().put(
      Buffer.from('timeline-store-version'),
      Buffer.from('t'),
      EMPTY,
      Buffer.of(8, 2, 16, 0),
    )
    batch.endMutation()
    await server.store.rows.mutate(parseTableName('timeline:starttime'), batch, OWN_CALL)
    await expect(timelineServer({}, server.store)).rejects.toThrow(
      'have version 2.0, but this server supports 1.0',
    )
  })

  test('are found again by another process, with the periods that there are', async () => {
    await server.post([ENTITY])
    const other = await start({}, server.store)
    await other.post([{ entity: 'new', entitytype: 'type_1', starttime: 1525447797805 }])
    const { text } = await server.get('/type_1?fields=events')
    expect(text.match(/"entity":"(\w+)"/g)).toEqual(['"entity":"new"', '"entity":"id_1"'])
    expect((await server.get('/type_1/new')).status).toBe(200)
    const { text: old } = await other.post([{ ...ENTITY, entity: 'old', starttime: START - 36e5 }])
    expect(old).toBe('{"errors":[{"entity":"old","entitytype":"type_1","errorcode":7}]}')
  })

  test('are not made where a store takes no changes', async () => {
    await server.post([ENTITY])
    const store = readOnly(advertised(server.store, SERVER))
    const other = await start({}, server.store, { store })
    expect((await other.get('/type_1/id_1')).status).toBe(200)
    expect((await other.post([{ ...ENTITY, entity: 'x' }])).status).toBe(403)
  })
})

describe('entities', () => {
  test('without a start time stay where they were put', async () => {
    await server.post([{ entity: 'none', entitytype: 't' }])
    const [none] = await rowsOf(server.store, 'starttime')
    expect(none).toEqual(['t\0none', '\0'.repeat(8)])
    expect((await server.get('/t/none')).text).toContain('"starttime":9223372036854775807')
  })

  test('of one id that many put at once have one start time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        server.post([{ ...ENTITY, starttime: START + i, otherinfo: { [`k${i}`]: i } }]),
      ),
    )
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['{"errors":[]}']))
    const { text } = await server.get('/type_1/id_1')
    expect(Object.keys((JSON.parse(text) as { otherinfo: object }).otherinfo)).toHaveLength(20)
  })

  test('are left out where they were stored after fromTs', async () => {
    const before = Date.now() - 1
    await server.post([ENTITY])
    expect((await server.get(`/type_1?fromTs=${before}`)).text).toBe('{"entities":[]}')
    expect((await server.get(`/type_1?fromTs=${Date.now()}`)).text).toContain('id_1')
  })

  test('of thousands are read in the order of their times, page by page', async () => {
    const entities = Array.from({ length: 300 }, (_, i) => ({
      entity: `e${i}`,
      entitytype: 'many',
      starttime: START + i * 60_000,
      otherinfo: { i, half: i % 2 },
      primaryfilters: { f: ['x'] },
    }))
    await server.post(entities)
    const ids = async (query: string): Promise<string[]> => {
      const { text } = await server.get(`/many?${query}`)
      return (JSON.parse(text) as { entities: { entity: string }[] }).entities.map(({ entity }) => entity)
    }
    const expected = entities.map(({ entity }) => entity).reverse()
    expect(await ids('limit=1000')).toEqual(expected)
    expect(await ids('limit=1000&primaryFilter=f:x')).toEqual(expected)
    expect(await ids('')).toEqual(expected.slice(0, 100))
    expect(await ids('fromId=e200&limit=50')).toEqual(expected.slice(99, 149))
    expect(await ids('limit=10&secondaryFilter=half:1')).toEqual(
      expected.filter((_, i) => i % 2 === 0).slice(0, 10),
    )
  })

  test('with names that end keys, or are longer than keys, are refused', async () => {
    expect((await server.post([{ ...ENTITY, entity: 'a\0b' }])).status).toBe(400)
    const long = await server.post([
      { ...ENTITY, otherinfo: { ['n'.repeat(40_000)]: 1 } },
      { ...ENTITY, entity: 'fine' },
    ])
    expect(long.text).toBe('{"errors":[{"entity":"id_1","entitytype":"type_1","errorcode":2}]}')
    expect((await server.get('/type_1/fine')).status).toBe(200)
  })
})

describe('answers', () => {
  test('in XML', async () => {
    await server.post([
      {
        ...ENTITY,
        otherinfo: { a: 1, b: '<&>', l: [true, 1.5] },
        events: [{ timestamp: 1, eventtype: 'e', eventinfo: { x: null } }],
      },
    ])
    const { text, headers } = await server.get('/type_1/id_1', { accept: 'application/xml' })
    expect(headers.get('content-type')).toBe('application/xml')
    expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8" standalone="yes"\?><entity xmlns:xs=/)
    expect(text).toContain('<entry><key>b</key><value xsi:type="xs:string">&lt;&amp;&gt;</value></entry>')
    expect(text).toContain(
      '<value><item xsi:type="xs:boolean">true</item><item xsi:type="xs:double">1.5</item></value>',
    )
    expect(text).toContain('<eventtype>e</eventtype><timestamp>1</timestamp>')
    const missing = await server.get('/type_1/none', { accept: 'application/xml' })
    expect(missing.status).toBe(404)
    expect(missing.text).toContain('<exception>NotFoundException</exception>')
    expect((await server.get('/domain', { accept: 'image/png' })).status).toBe(406)
  })

  test('a cookie tells who asks from then on', async () => {
    const first = await server.ask('/ws/v1/timeline?user.name=carol', { method: 'OPTIONS' })
    const [cookie = ''] = (first.headers.get('set-cookie') ?? '').split(';')
    const init = {
      method: 'PUT',
      headers: { cookie, 'content-type': 'application/json' },
      body: '{"id":"c"}',
    }
    expect((await server.ask('/ws/v1/timeline/domain', init)).status).toBe(200)
    expect((await server.get('/domain/c')).text).toContain('"owner":"carol"')
  })

  test('a body beyond the limit is refused', async () => {
    const limits = { ...DEFAULT_LIMITS, requestBytesMax: 1000 }
    const small = await start({}, undefined, { limits })
    expect((await small.post([{ ...ENTITY, otherinfo: { a: 'x'.repeat(2000) } }])).status).toBe(413)
    const full = await start({}, undefined, {
      memory: new MemoryBudget(100),
      logger: pino({ level: 'silent' }),
    })
    expect((await full.post([{ ...ENTITY, otherinfo: { a: 'x'.repeat(2000) } }])).status).toBe(413)
  })
})
