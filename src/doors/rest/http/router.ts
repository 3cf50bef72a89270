/** Hono's router finds the resource of a path that is not about rows; the request and its answer are the door's own. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { METHOD_NAME_ALL } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'
import type { DoorCounters, RequestCounts } from '../../../gateway/metrics.ts'
import { type Resource, resourcesOf } from '../routes.ts'
import type { RestService } from '../service.ts'
import type { Answer } from './answer.ts'
import { Refusal } from './errors.ts'
import { requireMethod } from './method.ts'
import { percentDecode } from './percent.ts'
import type { RestRequest } from './request.ts'
import { RequestCounters, resourceOfPattern } from './request-counters.ts'

export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/** Runs `work`, writes its answer or its error, and counts the request. Never rejects. */
export type Respond = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  counts: RequestCounts,
  work: (request: RestRequest) => Answer | Promise<Answer>,
) => Promise<void>

interface Route {
  readonly resource: Resource
  readonly counted: RequestCounters
}

/** `pathOf`: the path by which Hono routes, still encoded. */
export function routerOf(
  service: RestService,
  counters: DoorCounters,
  respond: Respond,
  pathOf: (incoming: IncomingMessage) => string,
): Listener {
  const routes = new TrieRouter<Route>()
  for (const [path, resource] of resourcesOf(service)) {
    routes.add(METHOD_NAME_ALL, path, {
      resource,
      counted: new RequestCounters(counters, resourceOfPattern(path)),
    })
  }
  const nowhere = new RequestCounters(counters, 'other')
  return (incoming, outgoing) => {
    const path = pathOf(incoming).replace(/(?<=.)\/+$/, '')
    const [found] = routes.match(METHOD_NAME_ALL, path)[0]
    const method = incoming.method ?? 'GET'
    if (found === undefined) {
      void respond(incoming, outgoing, nowhere.of(method), refuse)
      return
    }
    const [{ resource, counted }, parameters] = found
    const { name = '', id = '' } = parameters as Partial<Record<string, string>>
    void respond(incoming, outgoing, counted.of(method), (request) =>
      handle(resource, request, decodePart(name), decodePart(id)),
    )
  }
}

function decodePart(part: string): string {
  return percentDecode(part, false).toString()
}

function handle(
  resource: Resource,
  request: RestRequest,
  name: string,
  id: string,
): Answer | Promise<Answer> {
  const methods = Object.keys(resource) as (keyof Resource)[]
  return resource[requireMethod(request, ...methods)]!(request, name, id)
}

function refuse(request: RestRequest): Answer {
  throw new Refusal(404, `nothing is at ${request.path}`)
}
