/** Counts what the REST cases ask: every resource x verb x content type that the door has, or why there is no case. */

import { expect, test } from 'vitest'
import type { RestRequest } from '../../conformance/src/runner/case.ts'
import { SCENARIOS } from '../../conformance/src/scenarios.ts'
import {
  BINARY,
  CELL_SET_TYPES,
  JSON_TYPE,
  PROTOBUF,
  PROTOBUF_IETF,
  TEXT,
  XML,
} from '../../src/doors/rest/http/media-type.ts'
import { isWellEncoded } from '../../src/doors/rest/http/percent.ts'
import { parseRowPath } from '../../src/doors/rest/parameters/row-path.ts'
import { resourcesOf } from '../../src/doors/rest/routes.ts'
import type { RestService } from '../../src/doors/rest/service/rest-service.ts'

/** By verb, the types of the answer for GET and of the body for PUT and POST. */
type Verbs = Readonly<Record<string, readonly string[]>>

const DOCUMENT = [TEXT, XML, JSON_TYPE, PROTOBUF, PROTOBUF_IETF]
const VALUE_OR_CELLS = [BINARY, ...CELL_SET_TYPES]
const ANY_BODY = ['none', ...CELL_SET_TYPES]
const NONE = ['none']

/** The resources of rows, which the door recognises before it routes. */
const ROW_RESOURCES: Readonly<Record<string, Verbs>> = {
  row: {
    GET: VALUE_OR_CELLS,
    PUT: ['none', ...VALUE_OR_CELLS],
    POST: ['none', ...VALUE_OR_CELLS],
    DELETE: NONE,
  },
  scan: { GET: CELL_SET_TYPES },
  multiget: { GET: CELL_SET_TYPES },
}

const FORMS: Readonly<Record<string, Verbs>> = {
  ...ROW_RESOURCES,
  '/': { GET: DOCUMENT },
  // HBase has no such resource.
  '/openapi.json': { GET: [] },
  '/version': { GET: DOCUMENT },
  '/version/rest': { GET: DOCUMENT },
  '/version/cluster': { GET: [TEXT, XML, JSON_TYPE] },
  '/status/cluster': { GET: DOCUMENT },
  '/namespaces': { GET: DOCUMENT },
  '/namespaces/:name': { GET: DOCUMENT, PUT: ANY_BODY, POST: ANY_BODY, DELETE: NONE },
  '/namespaces/:name/tables': { GET: DOCUMENT, PUT: ANY_BODY, POST: ANY_BODY, DELETE: NONE },
  '/:name/exists': { GET: [...DOCUMENT, BINARY] },
  '/:name/regions': { GET: DOCUMENT },
  '/:name/schema': { GET: DOCUMENT, PUT: ANY_BODY, POST: ANY_BODY, DELETE: NONE },
  '/:name/scanner': { PUT: ANY_BODY, POST: ANY_BODY },
  '/:name/scanner/:id': { GET: VALUE_OR_CELLS, DELETE: NONE },
}

/** What has no case, and why: `VERB resource type`. */
const WITHOUT_CASE: ReadonlyMap<string, string> = new Map()

const routes = resourcesOf({} as RestService)
const patterns = [...routes.keys()].map(
  (pattern) => [pattern, new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}/?$`)] as const,
)

/** The resource that a request is for: the first that fits, as the door has it. */
function resourceOf(request: RestRequest): string | undefined {
  const path = request.path.replace('{scanner}', '/table/scanner/id').replace(/\?.*/, '')
  if (!isWellEncoded(path)) return undefined
  return parseRowPath(path)?.kind ?? patterns.find(([, pattern]) => pattern.test(path))?.[0]
}

function typeOf({ method, headers }: RestRequest): string {
  if (method === 'DELETE') return 'none'
  return headers[method === 'GET' ? 'Accept' : 'Content-Type'] ?? 'none'
}

const requests = SCENARIOS.flatMap(({ cases }) => cases.flatMap(({ requests }) => requests)).filter(
  (request) => request.door === 'rest',
)

test('every route has the types that it takes or makes stated here', () => {
  const routed = [...routes].map(([pattern, resource]) => [pattern, Object.keys(resource).sort()])
  const stated = Object.entries(FORMS)
    .filter(([pattern]) => !(pattern in ROW_RESOURCES))
    .map(([pattern, verbs]) => [pattern, Object.keys(verbs).sort()])
  expect(Object.fromEntries(stated)).toEqual(Object.fromEntries(routed))
})

test('every resource x verb x content type has a case, or a reason to have none', () => {
  const counts = new Map<string, number>()
  for (const request of requests) {
    const key = `${request.method} ${resourceOf(request)} ${typeOf(request)}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const wanted = Object.entries(FORMS).flatMap(([resource, verbs]) =>
    Object.entries(verbs).flatMap(([verb, types]) => types.map((type) => `${verb} ${resource} ${type}`)),
  )
  const covered = wanted.filter((key) => counts.has(key))
  process.stdout.write(
    `REST: ${covered.length} of ${wanted.length} resource x verb x content type have a case, ` +
      `${requests.length} requests ask ${counts.size} different ones\n`,
  )
  expect(wanted.filter((key) => !(counts.has(key) || WITHOUT_CASE.has(key)))).toEqual([])
  expect([...WITHOUT_CASE.keys()].filter((key) => counts.has(key))).toEqual([])
})
