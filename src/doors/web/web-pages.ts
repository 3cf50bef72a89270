/** What the web door answers. Loaded with the first request, as it and what it needs take some megabytes. */

import type { IncomingMessage, RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import type { MemoryBudget } from '../../gateway/memory-budget.ts'
import type { DoorCounters } from '../../gateway/metrics.ts'
import type { RequestFailures } from '../../gateway/request-failures.ts'
import { EXPOSITION_TYPE, Exposition, togetherText } from './exposition.ts'
import { type Health, healthStatus, LIVE, readiness, worst } from './health.ts'
import type { Reports } from './reports.ts'
import { type ServerFacts, serverMetrics } from './server-metrics.ts'
import { statusPage } from './status-page.ts'
import type { WebPath } from './web-paths.ts'

/** What @hono/node-server hands on. */
interface Env {
  readonly Bindings: { readonly incoming: IncomingMessage }
}

type Page = (context: Context<Env>) => Response | Promise<Response>

export interface WebPagesParts {
  readonly facts: ServerFacts
  readonly memory: MemoryBudget
  readonly counters: DoorCounters
  readonly failures: RequestFailures
  /** Requests of clients that have not shown who they are: probes, which hear no more than the status. */
  readonly strangers: WeakSet<IncomingMessage>
  /** When the door was opened, by performance.now(). */
  readonly startedAt: number
}

/** Hono answers HEAD as GET without the body. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

export function webPages(parts: WebPagesParts): RequestListener {
  const { fetch } = routesOf(pagesOf(parts), parts.counters, parts.failures)
  const listener = getRequestListener(fetch, {
    overrideGlobalObjects: false,
    // Of HTTP/1.0, whose requests need not name their host: load balancers' probes.
    hostname: 'localhost',
  })
  return (incoming, outgoing) => void listener(incoming, outgoing)
}

function pagesOf({ facts, memory, startedAt, strangers }: WebPagesParts): Readonly<Record<WebPath, Page>> {
  const { life, version, reports } = facts
  const uptimeSeconds = (): number => Math.floor((performance.now() - startedAt) / 1000)
  const health = (context: Context<Env>, answer: Health): Response => {
    const { status, ...more } = answer
    const store = life.store?.kind
    const told = { ...(store !== undefined && { store }), version, uptimeSeconds: uptimeSeconds() }
    if (strangers.has(context.env.incoming)) return context.json({ status }, healthStatus(answer))
    const insecure = life.open.length > 0 && { insecure: life.open }
    return context.json({ status, ...told, ...more, ...insecure }, healthStatus(answer))
  }
  // While this process begins or ends, it answers for itself.
  const others = (): Reports | undefined => (life.phase === 'serving' ? reports : undefined)
  const ready = async (): Promise<Health> => {
    const all = others()
    return all === undefined ? await readiness(life) : worst(await all.readiness(), all.processes)
  }
  let exposition: Exposition | undefined
  return {
    '/': async (context) => {
      if (life.store === undefined) return notYet(context)
      return context.html(await statusPage({ store: life.store, facts, uptimeSeconds: uptimeSeconds() }))
    },
    '/health': async (context) => health(context, await ready()),
    '/health/live': (context) => health(context, LIVE),
    '/health/ready': async (context) => health(context, await ready()),
    '/metrics': async (context) => {
      if (life.store === undefined) return notYet(context)
      const all = await others()?.metrics()
      if (all !== undefined) return metrics(context, await togetherText(all))
      exposition ??= new Exposition(serverMetrics({ store: life.store, memory }, facts))
      return metrics(context, await exposition.text())
    },
  }
}

function metrics(context: Context<Env>, text: string): Response {
  return context.body(text, 200, { 'Content-Type': EXPOSITION_TYPE })
}

function notYet(context: Context<Env>): Response {
  return context.text('The store is being opened\n', 503, { 'Retry-After': '1' })
}

function routesOf(
  pages: Readonly<Record<string, Page>>,
  counters: DoorCounters,
  failures: RequestFailures,
): Hono<Env> {
  const app = new Hono<Env>()
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
    context.header('X-Frame-Options', 'DENY')
  })
  for (const [path, page] of Object.entries(pages)) {
    app.get(path, page)
    app.all(path, (context) =>
      context.text(`${path} has the methods GET and HEAD\n`, 405, { Allow: 'GET, HEAD' }),
    )
  }
  app.notFound((context) => context.text('Nothing is here\n', 404))
  app.onError((error, context) => {
    failures.failed(error, { path: context.req.path })
    return context.text('Server error\n', 500)
  })
  return app
}
