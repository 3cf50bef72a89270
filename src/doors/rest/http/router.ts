/** Hono finds the resource of a path that is not about rows; the request and its answer stay the door's own. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import type { DoorCounters, RequestCounts } from '../../../gateway/metrics.ts'
import { type Resource, resourcesOf } from '../routes.ts'
import type { RestService } from '../service.ts'
import type { Answer } from './answer.ts'
import { Refusal } from './errors.ts'
import { requireMethod } from './method.ts'
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

/** `pathOf`: the path by which Hono routes, still encoded. */
export function routerOf(
  service: RestService,
  counters: DoorCounters,
  respond: Respond,
  pathOf: (incoming: IncomingMessage) => string,
): Listener {
  const app = new Hono<{ Bindings: HttpBindings }>({
    getPath: (_, options) => pathOf(options!.env!.incoming).replace(/(?<=.)\/+$/, ''),
  })
  for (const [path, resource] of resourcesOf(service)) {
    const counted = new RequestCounters(counters, resourceOfPattern(path))
    app.all(path, async ({ req, env }) => {
      const { name = '', id = '' }: Partial<Record<string, string>> = req.param()
      await respond(env.incoming, env.outgoing, counted.of(req.method), (request) =>
        handle(resource, request, name, id),
      )
      return RESPONSE_ALREADY_SENT
    })
  }
  const nowhere = new RequestCounters(counters, 'other')
  app.notFound(async ({ req, env }) => {
    await respond(env.incoming, env.outgoing, nowhere.of(req.method), refuse)
    return RESPONSE_ALREADY_SENT
  })
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  return (incoming, outgoing) => void listener(incoming, outgoing)
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
