/** Finds the resource of a request by its path. */

import { javaTrim } from '../../../wire/text/java-trim.ts'
import type { AnswerDocument } from '../documents/document.ts'
import type { TimelineService } from '../service/timeline-service.ts'
import { getDomain, getDomains, putDomain } from './domain-resources.ts'
import { getEntities, getEntity, getEvents, postEntities } from './entity-resources.ts'
import { notFound, unrouted } from './errors.ts'
import type { TimelineRequest } from './timeline-request.ts'

const ROOT = ['ws', 'v1', 'timeline']
/** The release of Hadoop whose behaviour the door has. */
const HADOOP_VERSION = '3.3.6'

/** The label of requests in metrics. */
export type Resource = 'about' | 'entities' | 'entity' | 'events' | 'domain' | 'domains' | 'other'

export interface Route {
  readonly resource: Resource
  readonly methods: Readonly<Partial<Record<string, () => Promise<AnswerDocument>>>>
}

/** Throws Refusal for a path with malformed percent-encoding. */
export function routeOf(service: TimelineService, request: TimelineRequest): Route {
  const { parts } = request
  if (!ROOT.every((part, index) => parts[index] === part)) return { resource: 'other', methods: {} }
  const [first, second] = [javaTrim(request.part(3)), javaTrim(request.part(4))]
  const isDomain = parts[3] === 'domain'
  switch (parts.length) {
    case 3:
      return {
        resource: 'about',
        methods: { GET: async () => ABOUT, POST: () => postEntities(service, request) },
      }
    case 4:
      if (isDomain)
        return {
          resource: 'domains',
          methods: { GET: () => getDomains(service, request), PUT: () => putDomain(service, request) },
        }
      return { resource: 'entities', methods: { GET: () => getEntities(service, request, first) } }
    case 5:
      if (isDomain) return { resource: 'domain', methods: { GET: () => getDomain(service, request, second) } }
      if (parts[4] === 'events')
        return { resource: 'events', methods: { GET: () => getEvents(service, request, first) } }
      return { resource: 'entity', methods: { GET: () => getEntity(service, request, first, second) } }
    default:
      return { resource: 'other', methods: {} }
  }
}

/** The work for a method; undefined for OPTIONS, whose answer has no document. Throws Refusal for an unknown resource or method. */
export function workOf(
  { resource, methods }: Route,
  method: string,
): (() => Promise<AnswerDocument>) | undefined {
  if (resource === 'other') throw notFound('no such resource')
  const work = methods[method === 'HEAD' ? 'GET' : method]
  if (work !== undefined || method === 'OPTIONS') return work
  throw unrouted(405, `${method} is not allowed here`, { Allow: allowed(methods) })
}

export function allowed(methods: Route['methods']): string {
  const heads = methods['GET'] === undefined ? [] : ['HEAD']
  return [...Object.keys(methods), ...heads, 'OPTIONS'].join(', ')
}

const BUILD = 'Tidegate, which answers as this release'

const ABOUT: AnswerDocument = {
  kind: 'about',
  facts: [
    ['About', 'Timeline API'],
    ['timeline-service-version', HADOOP_VERSION],
    ['timeline-service-build-version', BUILD],
    ['timeline-service-version-built-on', 'unknown'],
    ['hadoop-version', HADOOP_VERSION],
    ['hadoop-build-version', BUILD],
    ['hadoop-version-built-on', 'unknown'],
  ],
}
