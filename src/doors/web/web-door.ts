/** The web door: for people and programs that watch the server, not for clients of HBase. */

import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import type { Door, DoorAddress, DoorContext } from '../../gateway/door.ts'
import { openHttpServer } from '../../gateway/http-server.ts'
import { DoorCounters } from '../../gateway/metrics.ts'
import { Exposition } from './exposition.ts'
import { type ServerFacts, serverMetrics } from './server-metrics.ts'
import { statusPage } from './status-page.ts'

type Page = (context: Context) => Response | Promise<Response>

/** Damaged files that `/health` names. */
const DAMAGE_SHOWN_MAX = 20

/** Hono answers HEAD as GET without the body. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

export async function startWebDoor(
  context: DoorContext,
  address: DoorAddress,
  facts: ServerFacts,
): Promise<Door> {
  const counters = new DoorCounters()
  const { fetch } = routesOf(pagesOf(context, facts), counters, context)
  const listener = getRequestListener(fetch, {
    overrideGlobalObjects: false,
    // Of HTTP/1.0, whose requests need not name their host: load balancers' probes.
    hostname: 'localhost',
  })
  const server = await openHttpServer(
    (incoming, outgoing) => void listener(incoming, outgoing),
    { ...context, door: 'web', counters },
    address,
  )
  return { port: server.port, counters, close: () => server.close() }
}

function pagesOf({ store }: DoorContext, facts: ServerFacts): Readonly<Record<string, Page>> {
  const startedAt = performance.now()
  const uptimeSeconds = (): number => Math.floor((performance.now() - startedAt) / 1000)
  const exposition = new Exposition(serverMetrics(store, facts))
  return {
    '/': async (context) => context.html(await statusPage({ store, facts, uptimeSeconds: uptimeSeconds() })),
    '/health': async (context) => {
      const reason = await store.outage()
      const told = { store: store.kind, version: facts.version, uptimeSeconds: uptimeSeconds() }
      if (reason !== undefined) return context.json({ status: 'unavailable', ...told, reason }, 503)
      const damage = await store.damage()
      if (damage.length === 0) return context.json({ status: 'ok', ...told })
      // A load balancer that took the server away would take the sound tables away, too.
      const shown = damage.slice(0, DAMAGE_SHOWN_MAX)
      return context.json({ status: 'degraded', ...told, damagedFiles: damage.length, damage: shown })
    },
    '/metrics': async (context) =>
      context.body(await exposition.text(), 200, { 'Content-Type': exposition.contentType }),
  }
}

function routesOf(
  pages: Readonly<Record<string, Page>>,
  counters: DoorCounters,
  { logger }: DoorContext,
): Hono {
  const app = new Hono()
  const counted = new Map(
    Object.keys(pages).map((path) => [path, counters.request(path.slice(1) || 'status', 'GET')]),
  )
  const other = counters.request('other', 'other')
  app.use(async (context, next) => {
    await next()
    const { path, method } = context.req
    const counts = (METHODS.has(method) ? counted.get(path) : undefined) ?? other
    if (context.error === undefined) counts.answered(context.res.status)
    else counters.threw(counts, context.error)
    context.header('Cache-Control', 'no-store')
    context.header('X-Content-Type-Options', 'nosniff')
  })
  for (const [path, page] of Object.entries(pages)) {
    app.get(path, page)
    app.all(path, (context) =>
      context.text(`${path} has the methods GET and HEAD\n`, 405, { Allow: 'GET, HEAD' }),
    )
  }
  app.notFound((context) => context.text('Nothing is here\n', 404))
  app.onError((error, context) => {
    logger.error({ err: error, path: context.req.path }, 'web: a page failed')
    return context.text('Server error\n', 500)
  })
  return app
}
