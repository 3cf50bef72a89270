import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RestServer, startRestServer } from './rest-server.ts'

let server: RestServer

beforeAll(async () => {
  server = await startRestServer()
})

afterAll(() => server.close())

const DEFAULTS =
  '"INDEX_BLOCK_ENCODING":"NONE","VERSIONS":"1","KEEP_DELETED_CELLS":"FALSE","DATA_BLOCK_ENCODING":"NONE",' +
  '"TTL":"2147483647","MIN_VERSIONS":"0","REPLICATION_SCOPE":"0","BLOOMFILTER":"ROW","IN_MEMORY":"false",' +
  '"COMPRESSION":"NONE","BLOCKCACHE":"true","BLOCKSIZE":"65536"'

describe('a schema', () => {
  test('is created and read in every form', async () => {
    const created = await server.put('/s/schema', '{"ColumnSchema":[{"name":"f"}]}')
    expect(created.status).toBe(201)
    expect(created.headers['location']).toBe(`http://127.0.0.1:${server.port}/s/schema`)
    const json = await server.get('/s/schema')
    expect(json.headers['cache-control']).toBe('no-cache')
    expect(json.text).toBe(
      `{"name":"s","ColumnSchema":[{"name":"f",${DEFAULTS}}],"IS_META":"false","hbase.store.file-tracker.impl":"DEFAULT"}`,
    )
    const xml = await server.get('/s/schema', 'text/xml')
    expect(xml.text).toContain(
      '<TableSchema name="s" IS_META="false" hbase.store.file-tracker.impl="DEFAULT">',
    )
    expect(xml.text).toContain('<ColumnSchema name="f" INDEX_BLOCK_ENCODING="NONE" VERSIONS="1" ')
    const text = await server.get('/s/schema', '*/*')
    expect(text.text).toMatch(
      /^\{ NAME=> 's', IS_META => 'false', .* COLUMNS => \[ \{ NAME => 'f', .*'65536' \} \] \}$/,
    )
  })

  test.each(['application/json', 'text/xml', 'application/x-protobuf'])('goes round as %s', async (type) => {
    const { body } = await server.get('/s/schema', type)
    const table = `round${type.length}`
    await server.ask('PUT', `/${table}/schema`, { headers: { 'Content-Type': type }, body })
    const copy = await server.get(`/${table}/schema`)
    expect(copy.text).toBe((await server.get('/s/schema')).text.replace('"name":"s"', `"name":"${table}"`))
  })

  test('keeps unknown attributes, and TTL as text', async () => {
    const family = '{"name":"f","ENCODE_ON_DISK":true,"TTL":"604800 SECONDS (7 DAYS)","VERSIONS":10}'
    const attributes = '"KeyPrefixRegionSplitPolicy.prefix_length":8,"IS_META":"true"'
    await server.put('/odd/schema', `{"ColumnSchema":[${family}],${attributes}}`)
    const { text } = await server.get('/odd/schema')
    expect(text).toContain('"ENCODE_ON_DISK":"true"')
    expect(text).toContain('"VERSIONS":"10"')
    expect(text).toContain('"IS_META":"false"')
    expect(text).toContain('"KeyPrefixRegionSplitPolicy.prefix_length":"8"')
  })

  test('is replaced by PUT and extended by POST', async () => {
    await server.put('/p/schema', '{"ColumnSchema":[{"name":"a"},{"name":"b"}]}')
    expect((await server.put('/p/schema', '{"ColumnSchema":[{"name":"b","VERSIONS":"3"}]}')).status).toBe(201)
    const headers = { 'Content-Type': 'text/xml' }
    const body = '<TableSchema><ColumnSchema name="c" VERSIONS="4"/></TableSchema>'
    expect((await server.ask('POST', '/p/schema', { headers, body })).status).toBe(200)
    const { ColumnSchema } = JSON.parse((await server.get('/p/schema')).text) as {
      ColumnSchema: { name: string; VERSIONS: string }[]
    }
    expect(ColumnSchema.map(({ name, VERSIONS }) => [name, VERSIONS])).toEqual([
      ['b', '3'],
      ['c', '4'],
    ])
  })

  test.each([
    ['VERSIONS', 'many'],
    ['TTL', 'soon'],
    ['BLOCKSIZE', '64K'],
    ['KEEP_DELETED_CELLS', 'MAYBE'],
    ['DATA_BLOCK_ENCODING', 'ZIP'],
  ])('with %s %s, which HBase never answers, is refused at once', async (name, value) => {
    const { status, text } = await server.put(
      '/w/schema',
      `{"ColumnSchema":[{"name":"f","${name}":"${value}"}]}`,
    )
    expect(status).toBe(400)
    expect(text).toContain(name)
    expect((await server.get('/w/exists')).status).toBe(404)
  })

  test.each([
    ['PUT', 'application/json', '{"ColumnSchema":[{"name":"f"},{"name":"g"},{"name":"f","VERSIONS":"5"}]}'],
    [
      'POST',
      'text/xml',
      '<TableSchema><ColumnSchema name="f"/><ColumnSchema name="f" VERSIONS="5"/></TableSchema>',
    ],
    ['PUT', 'application/x-protobuf', '\x1a\x03\x0a\x01f\x1a\x05\x0a\x01f\x20\x05'],
  ])('is refused where it names a family twice: %s %s', async (method, type, body) => {
    const question = { headers: { 'Content-Type': type }, body }
    const { status, text } = await server.ask(method, '/twice/schema', question)
    expect([status, text]).toEqual([
      400,
      "Bad request\r\njava.lang.IllegalArgumentException: Family 'f' already exists so cannot be added\r\n",
    ])
    expect((await server.get('/twice/exists')).status).toBe(404)
  })

  test('adds no family that a POST names twice, and changes one as the last says', async () => {
    const post = (body: string): ReturnType<RestServer['ask']> =>
      server.ask('POST', '/again/schema', { headers: { 'Content-Type': 'application/json' }, body })
    await server.put('/again/schema', '{"ColumnSchema":[{"name":"f"}]}')
    expect((await post('{"ColumnSchema":[{"name":"h"},{"name":"h","VERSIONS":"5"}]}')).status).toBe(503)
    expect((await server.get('/again/schema')).text).not.toContain('"name":"h"')
    expect((await post('{"ColumnSchema":[{"name":"f"},{"name":"f","VERSIONS":"5"}]}')).status).toBe(200)
    expect((await server.get('/again/schema')).text).toContain('"VERSIONS":"5"')
  })

  test.each(['PUT', 'POST'])('of hbase:meta is not for clients: %s', async (method) => {
    const question = {
      headers: { 'Content-Type': 'application/json' },
      body: '{"ColumnSchema":[{"name":"f"}]}',
    }
    const { status, text } = await server.ask(method, '/hbase:meta/schema', question)
    expect([status, text]).toEqual([
      503,
      'Unavailable\r\norg.apache.hadoop.hbase.constraint.ConstraintException: Cannot disable hbase:meta\r\n',
    ])
  })

  test('is dropped', async () => {
    await server.put('/drop/schema', '{"ColumnSchema":[{"name":"f"}]}')
    expect((await server.get('/drop/exists')).status).toBe(200)
    expect((await server.ask('DELETE', '/drop/schema')).status).toBe(200)
    const { status, text } = await server.ask('DELETE', '/drop/schema')
    expect([status, text]).toEqual([
      404,
      'Not found\r\norg.apache.hadoop.hbase.TableNotFoundException: drop\r\n',
    ])
  })
})

describe('namespaces', () => {
  test('are created, altered, listed and dropped', async () => {
    const post = {
      headers: { 'Content-Type': 'application/json' },
      body: '{"properties":{"a":"1","key2":"v"}}',
    }
    expect((await server.ask('POST', '/namespaces/ns', post)).status).toBe(201)
    expect((await server.ask('POST', '/namespaces/ns', post)).status).toBe(403)
    expect((await server.get('/namespaces/ns')).text).toBe('{"properties":{"a":"1","key2":"v"}}')
    expect((await server.get('/namespaces/ns', 'text/plain')).text).toBe(
      "{NAME => 'ns', a => '1', key2 => 'v'}",
    )
    expect((await server.get('/namespaces')).text).toContain('"ns"')
    expect((await server.put('/namespaces/ns', '{"properties":{}}')).status).toBe(200)
    expect((await server.get('/namespaces/ns')).text).toBe('{"properties":null}')
    await server.put('/ns:t/schema', '{"ColumnSchema":[{"name":"f"}]}')
    expect((await server.get('/namespaces/ns/tables')).text).toBe('{"table":[{"name":"t"}]}')
    expect((await server.ask('DELETE', '/namespaces/ns')).status).toBe(503)
    await server.ask('DELETE', '/ns:t/schema')
    expect((await server.ask('DELETE', '/namespaces/ns')).status).toBe(200)
    expect((await server.get('/namespaces/ns')).status).toBe(500)
  })

  test('are created, altered and dropped by their lists of tables too', async () => {
    const json = { headers: { 'Content-Type': 'application/json' }, body: '{"properties":{"a":"1"}}' }
    const created = await server.ask('POST', '/namespaces/listed/tables', json)
    expect([created.status, created.headers['location']]).toEqual([
      201,
      `http://127.0.0.1:${server.port}/namespaces/listed/tables`,
    ])
    await server.put('/namespaces/listed/tables', '{"properties":{"a":"2"}}')
    expect((await server.get('/namespaces/listed')).text).toBe('{"properties":{"a":"2"}}')
    expect((await server.get('/namespaces/listed/tables')).text).toBe('{"table":[]}')
    expect((await server.ask('DELETE', '/namespaces/listed/tables')).status).toBe(200)
    expect((await server.get('/namespaces/listed')).status).toBe(500)
  })

  test('with names that no namespace has are refused at once', async () => {
    const { status } = await server.ask('POST', '/namespaces/a-b', {})
    expect(status).toBe(400)
  })
})

describe('the server', () => {
  test('lists tables, namespace by namespace', async () => {
    await server.ask('POST', '/namespaces/zz', {})
    await server.put('/zz:a/schema', '{"ColumnSchema":[{"name":"f"}]}')
    const names = (await server.get('/', 'text/plain')).text.trim().split('\n')
    expect(names.at(-1)).toBe('zz:a')
    expect((await server.get('/')).text).toContain('{"name":"t"}')
  })

  test('tells its version, status and regions', async () => {
    expect((await server.get('/version/cluster', '*/*')).text).toBe('2.6.1')
    expect((await server.get('/version/cluster', 'application/x-protobuf')).status).toBe(406)
    expect((await server.get('/version')).text).toMatch(
      /^\{"Server":"tidegate","Jersey":"","Version":"2\.6\.1",/,
    )
    const facts = JSON.parse((await server.get('/version')).text) as Record<'JVM' | 'OS' | 'Revision', string>
    expect(facts.JVM).toBe(`Node.js ${process.versions.node}-${process.versions.v8}`)
    expect(facts.OS.startsWith(process.platform === 'linux' ? 'Linux ' : '')).toBe(true)
    expect(facts.OS.split(' ').at(-1)).toBe(
      { x64: 'amd64', arm64: 'aarch64' }[process.arch as string] ?? process.arch,
    )
    expect(facts.Revision).toBe('7ed50b4dd742269a78875fb32112215f831284ff')
    expect((await server.get('/version/rest', 'text/xml')).text).toContain('REST="0.0.3"')
    expect((await server.get('/status/cluster', 'text/xml')).text).toContain('<DeadNodes/><LiveNodes><Node ')
    const regions = await server.get('/t/regions', 'text/plain')
    expect(regions.text).toMatch(
      /^t,,\d+\.[\da-f]{32}\. \[\n  id=\d+\n  startKey=''\n  endKey=''\n  location='.*'\n\]\n$/,
    )
    expect((await server.get('/none/regions')).text).toBe('Not found\r\n')
  })

  test('answers every document as protobuf too', async () => {
    const paths = [
      '/',
      '/version',
      '/status/cluster',
      '/namespaces',
      '/namespaces/default',
      '/t/regions',
      '/t/schema',
    ]
    for (const path of paths) {
      const { status, headers } = await server.get(path, 'application/protobuf')
      expect([path, status, headers['content-type']]).toEqual([path, 200, 'application/protobuf'])
    }
    const list = await server.get('/namespaces', 'application/x-protobuf')
    expect(list.text).toContain('\n\x07default')
  })

  test.each([
    ['/t', 404],
    ['/t/', 404],
    ['//t/r', 404],
    ['/t/schema/x', 404],
    ['/version/none', 404],
    ['/t/r/f:a/1/%3Fn=1', 404],
    ['/t/%zz', 400],
    ['/t/%00', 400],
    ['/t/a*b', 404],
    ['/t/,', 500],
    ['/t/r/f:a/x', 500],
    ['/t/r?v=x', 500],
    ['/bad%20name/r', 400],
  ])('answers %s with %i at once', async (path, status) => {
    expect((await server.get(path)).status).toBe(status)
  })

  test('names the methods that a resource has', async () => {
    const { status, headers } = await server.ask('PATCH', '/t/r')
    expect([status, headers['allow']]).toEqual([405, 'DELETE,POST,GET,PUT,OPTIONS'])
    expect((await server.ask('DELETE', '/version')).status).toBe(405)
    const head = await server.ask('HEAD', '/t/schema')
    expect([head.status, head.text, Number(head.headers['content-length']) > 100]).toEqual([200, '', true])
  })

  test('sends the headers that HBase sends', async () => {
    const { headers } = await server.get('/t/none')
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['x-xss-protection']).toBe('1; mode=block')
  })
})
