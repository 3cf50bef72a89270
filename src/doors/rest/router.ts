/** Finds the resource of a path that does not name rows, with Hono's router. */

import { TrieRouter } from 'hono/router/trie-router'
import type { DoorCounters, RequestCounts } from '../../gateway/observing/metrics.ts'
import type { Answer } from './http/answer.ts'
import { Refusal } from './http/errors.ts'
import { optionsAnswer, requireMethod } from './http/method.ts'
import { decodeSegment } from './http/percent.ts'
import type { RestRequest } from './http/request.ts'
import { RequestCounters, resourceOfPattern } from './http/request-counters.ts'
import { type Resource, resourcesOf } from './routes.ts'
import type { RestService } from './service/rest-service.ts'

/** The resource of a request, and its counters. */
export interface Route {
  readonly counts: RequestCounts
  /** The name of the resource in the access log: the fixed parts of its path. */
  readonly call: string
  /** The table that the path names; undefined where it names none. */
  readonly table?: string | undefined
  readonly work: (request: RestRequest) => Answer | Promise<Answer>
}

interface Target {
  readonly resource: Resource
  readonly counters: RequestCounters
  readonly call: string
  readonly isOfTable: boolean
}

/** QUIRK rest-namespace-namespaces-tables-tables: a namespace's list of tables has itself as a resource, and so on. */
const TABLES_OF_TABLES = /^(\/namespaces\/[^/]+\/tables)(?:\/tables)+$/

/** Finds the route by method and percent-encoded path. One slash may follow each path. */
export function routerOf(
  service: RestService,
  counters: DoorCounters,
): (method: string, path: string) => Route {
  const targets = new TrieRouter<Target>()
  for (const [path, resource] of resourcesOf(service)) {
    const call = resourceOfPattern(path)
    const isOfTable = path.startsWith('/:name')
    targets.add('ALL', path, { resource, counters: new RequestCounters(counters, call), call, isOfTable })
  }
  const other = new RequestCounters(counters, 'other')
  const unknownPath = (method: string): Route => ({
    counts: other.forMethod(method),
    call: 'other',
    work: refuse,
  })
  return (method, path) => {
    if (path.endsWith('//')) return unknownPath(method)
    const plain = path.replace(/(?<=.)\/$/, '').replace(TABLES_OF_TABLES, '$1')
    // Hono would read a segment that begins with a colon as a variable of a pattern.
    const [[found]] = targets.match('ALL', plain.replaceAll('/:', '/%3A'))
    if (found === undefined) return unknownPath(method)
    const [{ resource, counters: counted, call, isOfTable }, { name = '', id = '' }] = found
    return {
      counts: counted.forMethod(method),
      call,
      table: isOfTable ? String(name) : undefined,
      work: (request) => handle(resource, request, decodeSegment(String(name)), decodeSegment(String(id))),
    }
  }
}

function handle(
  resource: Resource,
  request: RestRequest,
  name: string,
  id: string,
): Answer | Promise<Answer> {
  const methods = Object.keys(resource) as (keyof Resource)[]
  if (request.method === 'OPTIONS') return optionsAnswer(methods)
  return resource[requireMethod(request, ...methods)]!(request, name, id)
}

function refuse(request: RestRequest): Answer {
  throw new Refusal(404, `no resource has the path ${request.path}`)
}
