import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { base64, cellValues, type RestServer, rowJson, rowKeys, startRestServer } from './rest-server.ts'

let server: RestServer

beforeAll(async () => {
  server = await startRestServer()
})

afterAll(() => server.close())

const LONG_MAX = '9223372036854775807'

describe('one row', () => {
  beforeAll(async () => {
    await server.put('/t/r1', rowJson('r1', ['f:a', 'v1', 1000], ['f:b', 'v2', 1000], ['g:', 'v3', 5]))
  })

  test('comes as JSON', async () => {
    const { status, headers, text } = await server.get('/t/r1')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json')
    expect(text).toBe(
      '{"Row":[{"key":"cjE=","Cell":[{"column":"Zjph","timestamp":1000,"$":"djE="},' +
        '{"column":"Zjpi","timestamp":1000,"$":"djI="},{"column":"Zzo=","timestamp":5,"$":"djM="}]}]}',
    )
  })

  test('comes as XML', async () => {
    const { headers, text } = await server.get('/t/r1/g', 'text/xml')
    expect(headers['content-type']).toBe('text/xml')
    expect(text).toBe(
      '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><CellSet><Row key="cjE=">' +
        '<Cell column="Zzo=" timestamp="5">djM=</Cell></Row></CellSet>',
    )
  })

  test('comes as protobuf', async () => {
    const { body } = await server.get('/t/r1', 'application/x-protobuf')
    expect(body.toString('hex')).toBe(
      '0a2c0a027231120c1203663a6118e80722027631120c1203663a6218e80722027632120a1202673a180522027633',
    )
  })

  test('comes as one value where a column is named', async () => {
    const { headers, text } = await server.get('/t/r1/f:b', '*/*')
    expect(text).toBe('v2')
    expect(headers['x-timestamp']).toBe('1000')
    expect(headers['content-type']).toBe('application/octet-stream')
  })

  test('is no single value without a column', async () => {
    const { status, text } = await server.get('/t/r1', 'application/octet-stream')
    expect(status).toBe(400)
    expect(text).toMatch(/^Bad request: Default 'GET' method only works if there is exactly 1 column/)
  })

  test('is missing with the words of HBase', async () => {
    for (const path of ['/t/nope', '/t/r1/f:zz', '/t/r1/zz:a', '/none/r1']) {
      const { status, headers, text } = await server.get(path)
      expect([path, status, headers['content-type'], text]).toEqual([
        path,
        404,
        'text/plain',
        'Not found\r\n',
      ])
    }
  })
})

describe('timestamps', () => {
  test.each(['1', '9007199254740993', '1579132800000000000', LONG_MAX.replace(/7$/, '6')])(
    '%s stays exact in every form',
    async (timestamp) => {
      const row = `time${timestamp}`
      await server.put(`/t/${row}`, rowJson(row, ['f:json', 'x', timestamp]))
      const xml =
        `<CellSet><Row key="${base64(row)}"><Cell column="${base64('f:xml')}" timestamp="${timestamp}">eA==</Cell>` +
        '</Row></CellSet>'
      await server.ask('PUT', `/t/${row}`, { headers: { 'Content-Type': 'text/xml' }, body: xml })
      const headers = { 'Content-Type': 'application/octet-stream', 'X-Timestamp': timestamp }
      await server.ask('PUT', `/t/${row}/f:value`, { headers, body: 'x' })
      const copy = await server.get(`/t/${row}/f:json`, 'application/x-protobuf')
      const twin = Buffer.from(copy.body.toString('latin1').replace('f:json', 'f:prot'), 'latin1')
      await server.ask('PUT', `/t/${row}`, {
        headers: { 'Content-Type': 'application/protobuf' },
        body: twin,
      })

      const json = await server.get(`/t/${row}`)
      expect(json.text.match(new RegExp(`"timestamp":${timestamp},`, 'g'))).toHaveLength(4)
      const asXml = await server.get(`/t/${row}`, 'text/xml')
      expect(asXml.text.match(new RegExp(`timestamp="${timestamp}"`, 'g'))).toHaveLength(4)
      const value = await server.get(`/t/${row}/f:prot`, '*/*')
      expect(value.headers['x-timestamp']).toBe(timestamp)
    },
  )

  test('a negative one is refused', async () => {
    const { status, text } = await server.put('/t/x', rowJson('x', ['f:a', 'v', -1]))
    expect(status).toBe(400)
    expect(text).toBe(
      'Bad request\r\njava.lang.IllegalArgumentException: Timestamp cannot be negative. ts=-1\r\n',
    )
  })

  test('Long.MAX_VALUE on a put is the present time', async () => {
    const before = Date.now()
    await server.put('/t/now', rowJson('now', ['f:a', 'v', LONG_MAX]))
    const { headers } = await server.get('/t/now/f:a', '*/*')
    expect(Number(headers['x-timestamp'])).toBeGreaterThanOrEqual(before)
  })

  test('a range in the path excludes its end', async () => {
    const cells = [1000, 2000, 3000, 4000].map((time): [string, string, number] => [
      'f:d',
      String(time),
      time,
    ])
    await server.put('/t/delta', rowJson('delta', ...cells))
    expect(cellValues(await server.get('/t/delta/f:d/2000,4000?v=10'))).toEqual(['3000', '2000'])
  })
})

describe('an entity and its far future', () => {
  const FAR = '1579141440000000'

  beforeAll(async () => {
    const years = [
      ['0.98', 2009],
      ['1.02', 2010],
      ['0.93', 2011],
      ['0.87', 2012],
      ['1.09', 2013],
    ] as const
    await server.put(
      '/t/e',
      rowJson('e', ...years.map(([value, at]): [string, string, number] => ['f:v', value, at])),
    )
    await server.put('/t/e', rowJson('e', ['g:label', 'house', 52011]))
  })

  test('are read together by time', async () => {
    expect(cellValues(await server.get('/t/e/f:v/2012,2014?v=100'))).toEqual(['1.09', '0.87'])
    const path = `/t/e/f:v,g:label/2012,${LONG_MAX}?v=100`
    expect(cellValues(await server.get(path))).toEqual(['1.09', '0.87', 'house'])
  })

  test('a far cell outlives deletes that bear the present time, and hides later puts', async () => {
    await server.put('/t/far', rowJson('far', ['g:label', 'kept', FAR]))
    for (const path of ['/t/far', '/t/far/g', '/t/far/g:label']) await server.ask('DELETE', path)
    await server.put('/t/far', rowJson('far', ['g:label', 'hidden']))
    expect((await server.get('/t/far/g:label', '*/*')).text).toBe('kept')
    await server.ask('DELETE', `/t/far/g:label/${FAR}`)
    expect((await server.get('/t/far/g:label', '*/*')).status).toBe(404)
  })
})

describe('ranges of rows', () => {
  beforeAll(async () => {
    await server.put('/c/schema', '{"ColumnSchema":[{"name":"d"}]}')
    const keys = ['1', '1,3', '1,3,6', '1,3,7', '1,4', '1,4,8', '10', '10,77', '2', '2,5', '2,5,9', '100,1']
    for (const key of keys) await server.put('/c/x', rowJson(key, ['d:m', key]))
  })

  test('come from a bare comma, while %2C is a comma of the key', async () => {
    expect(rowKeys(await server.get('/c/10,77/d:m'))).toEqual(['10', '10,77', '100,1', '2', '2,5', '2,5,9'])
    expect(rowKeys(await server.get('/c/10%2C77/d:m'))).toEqual(['10,77'])
    expect(rowKeys(await server.get('/c/10%2C*'))).toEqual(['10,77'])
  })

  test('sort hierarchies as bytes', async () => {
    const order = ['1', '1,3', '1,3,6', '1,3,7', '1,4', '1,4,8', '10', '10,77', '100,1', '2', '2,5', '2,5,9']
    expect(rowKeys(await server.get('/c/*'))).toEqual(order)
  })

  test('of equal ends are one row', async () => {
    expect(rowKeys(await server.get('/c/10,10'))).toEqual(['10'])
  })

  test('globs take columns and times', async () => {
    expect(rowKeys(await server.get('/c/2*/d:m'))).toEqual(['2', '2,5', '2,5,9'])
    expect((await server.get('/c/2*/d:m/0,5')).status).toBe(404)
  })
})

describe('writes', () => {
  test('take several rows at once, and keys and columns from the path where the body leaves them out', async () => {
    const [row1, row2] = ['many1', 'many2'].map((key) =>
      rowJson(key, ['f:a', key]).slice('{"Row":['.length, -2),
    )
    await server.put('/t/fakerow', `{"Row":[${row1},${row2}]}`)
    expect(rowKeys(await server.get('/t/many*'))).toEqual(['many1', 'many2'])
    await server.put('/t/path/f:p,f:q', '{"Row":[{"Cell":[{"$":"MQ=="},{"$":"Mg=="}]}]}')
    expect(cellValues(await server.get('/t/path'))).toEqual(['1', '2'])
  })

  test('all fail where one row of the cell set cannot be', async () => {
    const { status } = await server.put(
      '/t/x',
      '{"Row":[{"key":"b25l","Cell":[{"column":"Zjph"}]},{"key":"dHdv"}]}',
    )
    expect(status).toBe(400)
    expect((await server.get('/t/one')).status).toBe(404)
  })

  test('of an unknown family or table answer 404 with the exception', async () => {
    const family = await server.put('/t/x', rowJson('x', ['zz:a', 'v']))
    expect(family.text).toMatch(
      /^Not found\r\norg\.apache\.hadoop\.hbase\.regionserver\.NoSuchColumnFamilyException: /,
    )
    const table = await server.put('/none/x', rowJson('x', ['f:a', 'v']))
    expect(table.text).toBe('Not found\r\norg.apache.hadoop.hbase.TableNotFoundException: none\r\n')
    expect([family.status, table.status]).toEqual([404, 404])
  })

  test('check, append and increment', async () => {
    await server.put('/t/c', rowJson('c', ['g:a', 'one']))
    expect((await server.put('/t/c?check=put', rowJson('c', ['g:a', 'two'], ['g:a', 'wrong']))).status).toBe(
      304,
    )
    expect((await server.put('/t/c?check=put', rowJson('c', ['g:a', 'two'], ['g:a', 'one']))).status).toBe(
      200,
    )
    expect((await server.get('/t/c/g:a', '*/*')).text).toBe('two')
    expect((await server.put('/t/c?check=delete', rowJson('c', ['g:a', 'one']))).status).toBe(304)
    expect((await server.put('/t/c?check=delete', rowJson('c', ['g:a', 'two']))).status).toBe(200)
    expect((await server.get('/t/c')).status).toBe(404)
    await server.put('/t/c?check=append', rowJson('c', ['g:t', 'ab']))
    expect(cellValues(await server.put('/t/c?check=append&rr=true', rowJson('c', ['g:t', 'cd'])))).toEqual([
      'abcd',
    ])
    await server.put('/t/c?check=increment', rowJson('c', ['g:n', '5']))
    const counted = await server.put('/t/c?check=increment&rr=true', rowJson('c', ['g:n', '-7']))
    expect(cellValues(counted)).toEqual(['\xff\xff\xff\xff\xff\xff\xff\xfe'])
  })

  test('delete versions, columns, families and rows', async () => {
    await server.put(
      '/t/d',
      rowJson('d', ['f:a', '1', 10], ['f:a', '2', 20], ['f:b', '3', 10], ['g:', '4', 10]),
    )
    await server.ask('DELETE', '/t/d/f:a/15')
    expect(cellValues(await server.get('/t/d?v=5'))).toEqual(['2', '3', '4'])
    await server.ask('DELETE', '/t/d/f:b')
    await server.ask('DELETE', '/t/d/g')
    expect(cellValues(await server.get('/t/d?v=5'))).toEqual(['2'])
    await server.ask('DELETE', '/t/d')
    expect((await server.get('/t/d?v=5')).status).toBe(404)
  })
})

describe('keys that are no text', () => {
  test('go as base64 where the client says so', async () => {
    await server.put('/t/x', rowJson('\x00\xff/', ['f:\xfe', 'v', 1]))
    expect((await server.get('/t/AP8v/Zjr-?e=b64', '*/*')).text).toBe('v')
    const headers = { Encoding: 'base64', Accept: '*/*' }
    expect((await server.ask('GET', '/t/AP8v/Zjr-', { headers })).text).toBe('v')
  })

  test('that are no UTF-8 in the path read as U+FFFD', async () => {
    await server.ask('PUT', '/t/%ff/f:a', {
      headers: { 'Content-Type': 'application/octet-stream' },
      body: 'v',
    })
    expect(rowKeys(await server.get('/t/%fe'))).toEqual(['\xef\xbf\xbd'])
  })
})

describe('multiget', () => {
  test('answers the rows that are there, in the order asked', async () => {
    for (const key of ['mg1', 'mg2']) await server.put('/t/x', rowJson(key, ['f:a', key], ['f:b', 'b']))
    expect(rowKeys(await server.get('/t/multiget?row=mg2&row=none&row=mg1&row=mg2'))).toEqual([
      'mg2',
      'mg1',
      'mg2',
    ])
    expect(cellValues(await server.get('/t/multiget/f:b?row=mg2&row=mg1/f:a'))).toEqual(['b', 'mg1', 'b'])
    const { status, text } = await server.get('/t/multiget?row=none')
    expect([status, text]).toEqual([404, 'No rows found.\r\n'])
  })
})
