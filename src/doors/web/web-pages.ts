/** The pages of the web door. The first request loads this module, which takes some megabytes with its libraries. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import type { Logger } from 'pino'
import { SocketCall } from '../../gateway/connections/socket-call.ts'
import { forwardedAddress } from '../../gateway/identity/proxies/request-origin.ts'
import type { MemoryBudget } from '../../gateway/limits/memory-budget.ts'
import type { AuditLog } from '../../gateway/observing/audit/audit-log.ts'
import { audited } from '../../gateway/observing/audit/audited.ts'
import type { RequestFailures } from '../../gateway/observing/logs/request-failures.ts'
import { type DoorCounters, houseError } from '../../gateway/observing/metrics.ts'
import { HBaseError } from '../../model/errors.ts'
import type { Call } from '../../store/call.ts'
import type { Store } from '../../store/store.ts'
import { failureAnswer } from './failure-answer.ts'
import type { PageParts } from './hbase/hbase-pages.ts'
import { metricsPage } from './metrics-page.ts'
import { type Health, healthStatus, LIVE, opening, readiness, worst } from './status/health.ts'
import type { Reports, ServerFacts } from './status/server-facts.ts'
import { visibleHealth } from './status/visible-health.ts'
import { openingPage, statusPage } from './status-page.ts'
import { addTestPages } from './test-pages.ts'
import { Stranger, type Visitors } from './visitors.ts'
import type { WebPath } from './web-paths.ts'

/** The environment that @hono/node-server passes. */
interface Env {
  readonly Bindings: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse }
}

type Page = (context: Context<Env>) => Response | Promise<Response>

export interface WebPagesParts {
  readonly facts: ServerFacts
  readonly memory: MemoryBudget
  readonly counters: DoorCounters
  readonly failures: RequestFailures
  /** The authenticated clients. Strangers, such as probes, get only the health's status. */
  readonly visitors: Visitors
  /** True where clients must log in. */
  readonly isGuarded: boolean
  readonly logger: Logger
  /** Logs the clients' operations on the store; undefined: no audit log. */
  readonly audit: AuditLog | undefined
  /** The time at which the door was opened, from performance.now(). */
  readonly startedAt: number
}

/** Paths that need no login, for probes. Compared with the path that the router has normalised. */
const OF_STRANGERS: ReadonlySet<string> = new Set(['/health', '/health/live', '/health/ready'])
/** Hono answers HEAD as GET without the body. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

export function webPages(parts: WebPagesParts): RequestListener {
  const app = routesOf({ ...pagesOf(parts), ...hbasePages(parts) }, parts)
  if (parts.facts.testMode !== undefined) addTestPages(app, parts.facts.testMode)
  const { fetch } = app
  const listener = getRequestListener(fetch, {
    overrideGlobalObjects: false,
    // The host for requests of HTTP/1.0 without a Host header, such as probes of load balancers.
    hostname: 'localhost',
  })
  return (incoming, outgoing) => void listener(incoming, outgoing)
}

type HBasePath = '/jmx' | '/master-status' | '/rs-status' | '/table.jsp'

function pagesOf(parts: WebPagesParts): Readonly<Record<Exclude<WebPath, HBasePath>, Page>> {
  const { facts, memory, startedAt, visitors } = parts
  const { life, version, reports } = facts
  const health = async (context: Context<Env>, answer: Health): Promise<Response> => {
    const { status } = answer
    const store = life.store?.kind
    const server = { ...(store !== undefined && { store }), version, uptimeSeconds: secondsSince(startedAt) }
    if (visitors.get(context.env.incoming) instanceof Stranger)
      return context.json({ status }, healthStatus(answer))
    const readOnly = facts.readOnly === true && { readOnly: true }
    const reader = { call: callOf(context, parts), facts }
    const { status: _, ...shown } = await visibleHealth({ ...answer, insecure: life.open }, reader)
    return context.json({ status, ...server, ...shown, ...readOnly }, healthStatus(answer))
  }
  // A process that starts or stops reports only itself.
  const others = (): Reports | undefined => (life.phase === 'serving' ? reports : undefined)
  const ready = async (): Promise<Health> => {
    const all = others()
    return all === undefined ? await readiness(life) : worst(await all.readiness(), all.processes)
  }
  const status = withStore(parts, async (context, store) => {
    const uptimeSeconds = secondsSince(startedAt)
    return context.html(await statusPage({ store, call: callOf(context, parts), facts, uptimeSeconds }))
  })
  const metricsOf = metricsPage(facts, memory, others)
  const metrics: Page = async (context) => await metricsOf(context, callOf(context, parts))
  return {
    // Browsers ask for HTML. Other programs get the page without script, as before.
    '/': async (context) => {
      context.header('Vary', 'Accept')
      if (facts.console !== undefined && (context.req.header('accept') ?? '').includes('text/html'))
        return context.redirect('console/', 302)
      return life.store === undefined
        ? context.html(openingPage(facts), 503, { 'Retry-After': '1' })
        : await status(context)
    },
    '/health': async (context) => health(context, await ready()),
    '/health/live': (context) => health(context, LIVE),
    '/health/ready': async (context) => health(context, await ready()),
    '/metrics': metrics,
    '/prometheus': metrics,
  }
}

/** Pages at HBase's paths, each loaded at its first request. */
function hbasePages(parts: WebPagesParts): Readonly<Record<HBasePath, Page>> {
  const { facts } = parts
  type Pages = typeof import('./hbase/hbase-pages.ts')
  const page = (
    work: (pages: Pages, asked: PageParts, name: string) => ReturnType<Pages['masterStatus']>,
  ): Page =>
    withStore(parts, async (context, store) => {
      const asked = { store, facts, call: callOf(context, parts) }
      return context.html(
        await work(await import('./hbase/hbase-pages.ts'), asked, context.req.query('name') ?? ''),
      )
    })
  return {
    '/jmx': withStore(parts, async (context, store) => {
      const [{ beans }, { jmxAnswer }] = [
        await import('./hbase/jmx.ts'),
        await import('./hbase/jmx-query.ts'),
      ]
      const uptimeSeconds = (performance.now() - parts.startedAt) / 1000
      const all = await beans({ store, facts, uptimeSeconds, call: callOf(context, parts) })
      const { status, body } = jmxAnswer(all, new URL(context.req.url).searchParams)
      return context.json(body, status)
    }),
    '/master-status': page((pages, asked) => pages.masterStatus(asked)),
    '/rs-status': page((pages, asked) => pages.regionServerStatus(asked)),
    '/table.jsp': page((pages, asked, name) => pages.tablePage(asked, name)),
  }
}

function withStore(
  { facts, audit }: WebPagesParts,
  page: (context: Context<Env>, store: Store) => Promise<Response>,
): Page {
  return async (context) => {
    const { store } = facts.life
    if (store !== undefined) return await page(context, auditedBy(audit, store))
    return context.text(`${opening(facts.life.opening).reason}\n`, 503, { 'Retry-After': '1' })
  }
}

/** The store with the audit log around it, as the other doors have it. */
function auditedBy(audit: AuditLog | undefined, store: Store): Store {
  return audit === undefined ? store : audited(store, audit, 'web')
}

function callOf(context: Context<Env>, { visitors, isGuarded }: WebPagesParts): Call {
  const { incoming } = context.env
  const visitor = visitors.get(incoming)
  const socketCall = SocketCall.ofHttp(incoming.socket)
  const address = forwardedAddress(incoming)
  if (visitor === undefined && !isGuarded) return socketCall.as(undefined, address)
  if (visitor === undefined || visitor instanceof Stranger)
    throw new HBaseError('ACCESS_DENIED', 'the store answers only clients that have logged in')
  return socketCall.as(visitor, address)
}

function consolePage(parts: WebPagesParts): Page {
  const { facts, memory, logger, audit, isGuarded, startedAt } = parts
  return async (context) => {
    const { answerConsole } = await import('./console/console.ts')
    const store = facts.life.store && auditedBy(audit, facts.life.store)
    const call = callOf(context, parts)
    const uptimeSeconds = secondsSince(startedAt)
    const request = store && { store, call, facts, memory, logger, uptimeSeconds }
    return await answerConsole({ context, isGuarded, facts, request })
  }
}

function secondsSince(startedAt: number): number {
  return Math.floor((performance.now() - startedAt) / 1000)
}

function routesOf(pages: Readonly<Record<string, Page>>, parts: WebPagesParts): Hono<Env> {
  const { counters, failures } = parts
  const app = new Hono<Env>()
  const counted = new Map(
    Object.keys(pages).map((path) => [path, counters.request(path.slice(1) || 'status', 'GET')]),
  )
  const ofConsole = new Map(['GET', 'POST'].map((method) => [method, counters.request('console', method)]))
  const other = counters.request('other', 'other')
  app.use(async (context, next) => {
    const since = performance.now()
    await next()
    const { path, method } = context.req
    const isConsole = path === '/console' || path.startsWith('/console/')
    const known = isConsole ? ofConsole.get(method) : METHODS.has(method) ? counted.get(path) : undefined
    const counts = known ?? other
    if (context.error === undefined) counts.answered(context.res.status)
    else counters.threw(counts, context.error)
    counts.latencies.add(performance.now() - since)
    if (!context.res.headers.has('Cache-Control')) context.header('Cache-Control', 'no-store')
    context.header('X-Content-Type-Options', 'nosniff')
    context.header('X-Frame-Options', 'DENY')
  })
  app.use(async (context, next) => {
    const visitor = parts.visitors.get(context.env.incoming)
    if (!(visitor instanceof Stranger) || OF_STRANGERS.has(context.req.path)) return await next()
    const { status, reason, headers, report } = visitor.answer
    report()
    // Node sends several headers of one name, which a Response joins.
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined) context.env.outgoing.setHeader(name, value)
    return new Response(`${reason}\n`, { status, headers: { 'content-type': 'text/plain' } })
  })
  for (const [path, page] of Object.entries(pages)) {
    app.get(path, page)
    app.all(path, (context) =>
      context.text(`${path} allows the methods GET and HEAD\n`, 405, { Allow: 'GET, HEAD' }),
    )
  }
  const answerConsole = consolePage(parts)
  app.all('/console', answerConsole)
  app.all('/console/*', answerConsole)
  app.notFound((context) => context.text('Not found\n', 404))
  app.onError((error, context) => {
    failures.failed(error, { path: context.req.path })
    const known = houseError(error)
    return known === undefined ? context.text('Server error\n', 500) : failureAnswer(context, known)
  })
  return app
}
