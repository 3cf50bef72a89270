/** Bodies of every resource, each part of them anything: no answer is the fault of Tidegate, and the server lives on. */

import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bytesField, numberField } from '../../../conformance/src/cases/rest-body-fields.ts'
import { testRuns } from '../../harness/test-runs.ts'
import { base64, cellValues, type RestServer, rowJson, startRestServer } from './rest-server.ts'

let server: RestServer

beforeAll(async () => {
  server = await startRestServer()
})

afterAll(() => server.close())

const TYPES = { json: 'application/json', xml: 'text/xml', protobuf: 'application/x-protobuf' } as const
type Form = keyof typeof TYPES

const text = fc.oneof(
  fc.constantFrom(
    '',
    'f',
    'f:a',
    'f:',
    ':a',
    'zz:a',
    'r1',
    '5',
    '-1',
    '1.5',
    '9223372036854775808',
    '\ufeff',
    '\0',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
)
const number = fc.oneof(
  fc.constantFrom('0', '-1', '5', '1.5', '1e400', '2147483648', '9223372036854775807', '9223372036854775808'),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
)

/** JSON of any type; most texts are base64, as most members are. */
const json: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text.map((each) => JSON.stringify(Buffer.from(each).toString('base64'))),
    text.map((each) => JSON.stringify(each)),
    number,
    fc.constantFrom('null', 'true', 'false', '[]', '{}'),
    fc.array(tie('value'), { maxLength: 3 }).map((each) => `[${each.join()}]`),
    tie('value').map((each) => `{"a":${each}}`),
  ),
})).value

/** An object with some of the members, each of them well formed or anything. */
function members(known: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<string> {
  const parts = Object.entries(known).map(([name, value]) =>
    fc
      .option(fc.oneof({ weight: 3, arbitrary: value }, { weight: 1, arbitrary: json }))
      .map((each) => (each === null ? [] : [`${JSON.stringify(name)}:${each}`])),
  )
  return fc.oneof(
    { weight: 8, arbitrary: fc.tuple(...parts).map((each) => `{${each.flat().join()}}`) },
    { weight: 1, arbitrary: json },
  )
}

function listOf(element: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.array(element, { maxLength: 3 }).map((each) => `[${each.join()}]`)
}

const encoded = (values: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom(...values).map((each) => JSON.stringify(base64(each)))

const cell = members({ column: encoded(['f:a', 'f', 'g:']), timestamp: number, $: encoded(['', 'v', '5']) })
const JSON_BODIES = {
  row: members({ Row: listOf(members({ key: encoded(['r1', 'r2']), Cell: listOf(cell) })) }),
  scanner: members({
    startRow: encoded(['', 'r1']),
    endRow: encoded(['', 'r9']),
    column: listOf(encoded(['f:a', 'g'])),
    batch: number,
    startTime: number,
    endTime: number,
    maxVersions: number,
    caching: number,
    cacheBlocks: fc.constantFrom('true', '""'),
    filter: fc.constantFrom('""', '"{}"', '"{\\"type\\":\\"PageFilter\\",\\"value\\":\\"1\\"}"'),
    labels: fc.constant('["a"]'),
  }),
  schema: members({
    name: fc.constant('"x"'),
    ColumnSchema: listOf(
      members({ name: fc.constantFrom('"f"', '"g"'), VERSIONS: number, TTL: number, MINE: json }),
    ),
    MINE: json,
  }),
  namespace: members({ properties: members({ a: fc.constant('"b"') }) }),
}

const xmlContent = fc.oneof(
  text.map((each) => Buffer.from(each).toString('base64')),
  number,
  fc.string({ maxLength: 6 }).map((each) => each.replace(/[<&"]/g, '')),
)

function element(
  name: string,
  attributes: readonly string[],
  inner: fc.Arbitrary<string>,
): fc.Arbitrary<string> {
  const stated = attributes.map((each) =>
    fc.option(xmlContent).map((value) => (value === null ? '' : ` ${each}="${value}"`)),
  )
  return fc
    .tuple(fc.tuple(...stated), inner)
    .map(([all, content]) => `<${name}${all.join('')}>${content}</${name}>`)
}

function repeated(inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.array(inner, { maxLength: 3 }).map((each) => each.join(''))
}

const entry = element(
  'entry',
  [],
  repeated(fc.oneof(element('key', [], xmlContent), element('value', [], xmlContent))),
)
const XML_BODIES = {
  row: element(
    'CellSet',
    [],
    repeated(element('Row', ['key'], repeated(element('Cell', ['column', 'timestamp'], xmlContent)))),
  ),
  scanner: element(
    'Scanner',
    ['startRow', 'endRow', 'batch', 'startTime', 'endTime', 'maxVersions', 'caching', 'cacheBlocks'],
    repeated(fc.oneof(element('column', [], xmlContent), element('filter', [], xmlContent))),
  ),
  schema: element(
    'TableSchema',
    ['name', 'MINE'],
    repeated(element('ColumnSchema', ['name', 'VERSIONS', 'TTL'], fc.constant(''))),
  ),
  namespace: element('NamespaceProperties', [], repeated(element('properties', [], repeated(entry)))),
}

/** Messages within each other, whose fields have any number and any type; and any bytes. */
const message: fc.Arbitrary<Buffer> = fc.letrec<{ message: Buffer }>((tie) => ({
  message: fc.oneof(
    { depthSize: 'small' },
    text.map((each) => Buffer.from(each)),
    fc
      .array(
        fc.tuple(
          fc.integer({ min: 0, max: 11 }),
          fc.oneof(fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }), tie('message')),
        ),
        { maxLength: 4 },
      )
      .map((fields) =>
        Buffer.concat(
          fields.map(([field, value]) =>
            typeof value === 'bigint' ? numberField(field, value) : bytesField(field, value),
          ),
        ),
      ),
    fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
  ),
})).message

type Resource = keyof typeof JSON_BODIES

const PATHS: Readonly<Record<Resource, readonly (readonly [method: string, path: string])[]>> = {
  row: [
    ['PUT', '/t/r1'],
    ['POST', '/t/r1/f:a'],
    ...['put', 'delete', 'append', 'increment'].map(
      (check) => ['PUT', `/t/r1/f:a?check=${check}&rr=true`] as const,
    ),
  ],
  scanner: [['PUT', '/t/scanner']],
  schema: [
    ['PUT', '/made/schema'],
    ['POST', '/made/schema'],
  ],
  namespace: [
    ['POST', '/namespaces/made'],
    ['PUT', '/namespaces/made'],
  ],
}

function bodiesOf(form: Form, resource: Resource): fc.Arbitrary<string | Buffer> {
  if (form === 'protobuf') return message
  return form === 'json' ? JSON_BODIES[resource] : XML_BODIES[resource]
}

describe.each(Object.keys(TYPES) as Form[])('a body in %s', (form) => {
  test.each(Object.keys(PATHS) as Resource[])('of a %s', async (resource) => {
    const property = fc.asyncProperty(
      fc.constantFrom(...PATHS[resource]),
      bodiesOf(form, resource),
      fc.boolean(),
      async ([method, path], body, isZipped) => {
        const headers = {
          'Content-Type': TYPES[form],
          Accept: 'application/json',
          ...(isZipped ? { 'Content-Encoding': 'GZIP' } : {}),
        }
        const { status, text: answered } = await server.ask(method, path, {
          headers,
          body: isZipped ? gzipSync(body) : body,
        })
        expect([200, 201, 304, 400, 403, 404, 500, 503]).toContain(status)
        expect(answered).not.toContain('Server error')
        if (status === 201) await server.ask('DELETE', path)
        if (resource === 'row') await server.ask('DELETE', '/t/r1')
      },
    )
    await fc.assert(property, { numRuns: testRuns(150) })
    expect(server.logged).toEqual([])
    expect((await server.get('/version')).status).toBe(200)
  })
})

describe('a cell set', () => {
  test('is the same in any encoding of Unicode, zipped or not, marked or not', async () => {
    const property = fc.asyncProperty(
      fc.string({ maxLength: 20 }),
      fc.constantFrom<BufferEncoding>('utf8', 'utf16le'),
      fc.boolean(),
      fc.boolean(),
      async (value, encoding, isMarked, isZipped) => {
        const body = Buffer.from((isMarked ? '\ufeff' : '') + rowJson('enc', ['f:a', value, 5]), encoding)
        const headers = { 'Content-Type': TYPES.json, ...(isZipped ? { 'Content-Encoding': 'x-GZip' } : {}) }
        const put = await server.ask('PUT', '/t/enc', { headers, body: isZipped ? gzipSync(body) : body })
        expect(put.status).toBe(200)
        expect(cellValues(await server.get('/t/enc'))).toEqual([
          Buffer.from(value, 'latin1').toString('latin1'),
        ])
      },
    )
    await fc.assert(property, { numRuns: 60 })
  })
})

test('a change whose answer the client does not take is not made', async () => {
  const headers = { 'Content-Type': TYPES.json, Accept: 'image/png' }
  for (const check of ['append', 'increment']) {
    const body = rowJson(check, ['f:a', '5'])
    const { status } = await server.ask('PUT', `/t/${check}?check=${check}&rr=true`, { headers, body })
    expect([check, status]).toEqual([check, 406])
    expect((await server.get(`/t/${check}`)).status).toBe(404)
  }
})

test('an append answers the value that it has made, in the form that the client takes', async () => {
  const headers = { 'Content-Type': TYPES.json, Accept: TYPES.json }
  const append = (value: string): Promise<Awaited<ReturnType<RestServer['ask']>>> =>
    server.ask('PUT', '/t/app?check=append&rr=true', { headers, body: rowJson('app', ['f:a', value]) })
  expect(cellValues(await append('one'))).toEqual(['one'])
  expect(cellValues(await append('two'))).toEqual(['onetwo'])
})
