/** The OpenAPI document against the door: every operation is called, and each of its statuses and documents is seen. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import type { OpenApiDocument, OpenApiOperation } from '../../../src/doors/rest/openapi/document.ts'
import { OPERATIONS } from '../../../src/doors/rest/openapi/operations.ts'
import { resourcesOf } from '../../../src/doors/rest/routes.ts'
import type { RestService } from '../../../src/doors/rest/service/rest-service.ts'
import { readOnly } from '../../../src/gateway/policies/read-only.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { EXCHANGES, type Exchange } from './openapi-exchanges.ts'
import { type Reply, type RestServer, rowJson, startRestServer } from './rest-server.ts'

let server: RestServer
let readers: RestServer
/** Of the same store as `readers`. */
let writer: RestServer
let document: OpenApiDocument
let ajv: Ajv2020

beforeAll(async () => {
  server = await startRestServer({ requestBytesMax: 10_000, batchMax: 3 })
  for (const path of ['/gone/schema', '/off/schema', '/taken:t/schema', '/dropped/schema']) {
    if (path.startsWith('/taken')) await server.ask('POST', '/namespaces/taken')
    await server.put(path, '{"ColumnSchema":[{"name":"f"}]}')
  }
  await server.store.catalog.disableTable(parseTableName('off'), OWN_CALL)
  await server.put('/t/r', rowJson('r', ['f:q', 'v', 1], ['f:n', '\0\0\0\0\0\0\0\x05', 2]))
  const store = openMemoryStore({ clock: { now: Date.now } })
  writer = await startRestServer({}, {}, store)
  readers = await startRestServer({}, {}, readOnly(store))
  expect((await writer.get('/t/exists')).status).toBe(200)
  document = JSON.parse((await server.get('/openapi.json')).text) as OpenApiDocument
  ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'openapi', ...document })
})
afterAll(async () => {
  await server.close()
  await readers.close()
  await writer.close()
})

function operationOf({ operation }: Exchange): {
  readonly path: string
  readonly described: OpenApiOperation
} {
  const [method = '', path = ''] = operation.split(' ')
  const described = document.paths[path]?.[method]
  if (described === undefined) throw new Error(`${operation} is not in the document`)
  return { path, described }
}

/** The schema that stands at a place of the document, whose references lead to other places of it. */
function schemaAt(...place: readonly string[]): ValidateFunction {
  const pointer = place.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
  return ajv.compile({ $ref: `openapi#/${pointer.join('/')}` })
}

function checkJson(text: string, type: string, ...place: readonly string[]): void {
  if (!/\bjson\b/.test(type)) return
  const validate = schemaAt(...place, 'schema')
  const isLines = type.startsWith('application/x-ndjson')
  expect(validate(isLines ? text : JSON.parse(text)) || validate.errors).toBe(true)
}

/** Checks the answer, and a body that is meant to be good, against the document. */
function check(exchange: Exchange, reply: Reply): void {
  const { path, described } = operationOf(exchange)
  const { status, headers } = reply
  const [method] = exchange.operation.split(' ') as [string]
  expect([exchange.path, status, reply.text]).toEqual([exchange.path, exchange.status, reply.text])
  const answer = described.responses[status]
  expect(Object.keys(described.responses)).toContain(String(status))
  const type = headers['content-type']
  if (reply.body.length > 0) {
    expect(Object.keys(answer!.content ?? {})).toContain(type)
    checkJson(reply.text, type!, 'paths', path, method, 'responses', String(status), 'content', type!)
  }
  const sent = exchange.headers?.['Content-Type']
  if (status < 300 && sent !== undefined && exchange.body !== undefined) {
    expect(Object.keys(described.requestBody!.content!)).toContain(sent)
    checkJson(exchange.body, sent, 'paths', path, method, 'requestBody', 'content', sent)
  }
}

async function scannerPath(table: string, spec = '{"batch":1}'): Promise<string> {
  const { headers } = await server.put(`/${table}/scanner`, spec)
  return new URL(headers['location']!).pathname
}

/** Opens the scanner that the path names by what is to be read of it. */
async function pathOf({ path }: Exchange): Promise<string> {
  if (path.endsWith('{scanner}')) return await scannerPath('t')
  if (path.endsWith('{at-its-end}')) return await scannerPath('t', '{"startRow":"enp6"}')
  return path.endsWith('{of-the-disabled}') ? await scannerPath('off') : path
}

const seen = new Set<string>()

describe('the door answers as its document says', () => {
  test.each(EXCHANGES)('$operation is $status by $path', async (exchange) => {
    const asked = exchange.isReadOnly === true ? readers : server
    const path = await pathOf(exchange)
    const [method = ''] = exchange.operation.split(' ')
    const { headers = {}, body } = exchange
    const reply = await asked.ask(method.toUpperCase(), path, {
      headers,
      ...(body !== undefined && { body }),
    })
    check(exchange, reply)
    if (exchange.status >= 400 && method !== 'head') {
      const accept = { ...headers, Accept: `${headers['Accept'] ?? '*/*'}, application/problem+json;q=0.1` }
      if (exchange.isRepeatable !== false) {
        const problem = await asked.ask(method.toUpperCase(), path, {
          headers: accept,
          ...(body !== undefined && { body }),
        })
        expect(problem.headers['content-type']).toBe('application/problem+json')
        check(exchange, problem)
      }
    }
    seen.add(`${exchange.operation} ${exchange.status}`)
  })

  test('and each status of each operation was seen', () => {
    const all = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        Object.keys(responses).map((status) => `${method} ${path} ${status}`),
      ),
    )
    expect(all.filter((one) => !seen.has(one))).toEqual([])
  })
})

describe('the document', () => {
  test('has every route of the door, with its methods, and no other', () => {
    const routes = [...resourcesOf({} as RestService)].map(([route, resource]) => [
      route,
      new Set(Object.keys(resource).map((method) => method.toLowerCase())),
    ])
    const described = [...OPERATIONS.values()].flatMap(({ route, methods }) =>
      route === undefined ? [] : [[route, new Set(Object.keys(methods))]],
    )
    expect(new Map(described as [string, Set<string>][])).toEqual(new Map(routes as [string, Set<string>][]))
  })

  test('describes each part of a path, and names each operation once', () => {
    const ids: string[] = []
    for (const [path, methods] of Object.entries(document.paths)) {
      const inPath = [...path.matchAll(/{(\w+)}/g)].map(([, name]) => name)
      for (const { operationId, parameters = [] } of Object.values(methods)) {
        ids.push(operationId)
        expect(parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(inPath)
      }
    }
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('refers to schemas that it has, and has none that it does not refer to', () => {
    const text = JSON.stringify(document)
    const named = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name))
    expect(named).toEqual(new Set(Object.keys(document.components.schemas)))
  })
})
