/** Hono finds the resource of a path that is not about rows. */

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

/** Where a request is counted, and what answers it. */
export interface Route {
  readonly counts: RequestCounts
  /** For people: the path's fixed parts, and its table. */
  readonly call: string
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

/** By method and path, still encoded. One slash may follow each path. */
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
  const nowhere = (method: string): Route => ({ counts: other.of(method), call: 'other', work: refuse })
  return (method, path) => {
    if (path.endsWith('//')) return nowhere(method)
    const plain = path.replace(/(?<=.)\/$/, '').replace(TABLES_OF_TABLES, '$1')
    // A segment with a colon would be taken for the pattern's own name of a variable.
    const [[found]] = targets.match('ALL', plain.replaceAll('/:', '/%3A'))
    if (found === undefined) return nowhere(method)
    const [{ resource, counters: counted, call, isOfTable }, { name = '', id = '' }] = found
    return {
      counts: counted.of(method),
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
  throw new Refusal(404, `nothing is at ${request.path}`)
}
