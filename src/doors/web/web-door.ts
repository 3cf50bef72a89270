/** The web door: pages for operators and monitoring programs, not for clients of HBase. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Door, DoorAddress, DoorContext } from '../../gateway/door.ts'
import { HttpAccess } from '../../gateway/http/http-access.ts'
import { openHttpServer } from '../../gateway/http/http-server.ts'
import { actingUser } from '../../gateway/identity/guard/acting-user.ts'
import type { Guard } from '../../gateway/identity/guard/guard.ts'
import { loginRefusal } from '../../gateway/identity/guard/http-login.ts'
import { hasShownLogin } from '../../gateway/identity/guard/http-logins.ts'
import type { LoginAnswer } from '../../gateway/identity/guard/negotiate/http-negotiation.ts'
import { placeOf } from '../../gateway/identity/proxies/request-origin.ts'
import type { RequestLog } from '../../gateway/observing/logs/access-log.ts'
import { RequestFailures } from '../../gateway/observing/logs/request-failures.ts'
import { DoorCounters } from '../../gateway/observing/metrics.ts'
import { reasonOf } from '../../model/error-reason.ts'
import { isHBaseError } from '../../model/errors.ts'
import { LoadHistory, POINT_MS } from './status/load-history.ts'
import type { ServerFacts } from './status/server-facts.ts'
import { Stranger, type Visitors } from './visitors.ts'
import type { WebPagesParts } from './web-pages.ts'
import { WEB_PATHS } from './web-paths.ts'

export async function startWebDoor(
  context: Omit<DoorContext, 'store'>,
  address: DoorAddress,
  facts: ServerFacts,
): Promise<Door> {
  const counters = new DoorCounters()
  const failures = new RequestFailures('web', context.logger)
  const { memory, guard } = context
  const visitors: Visitors = new WeakMap()
  const startedAt = performance.now()
  const isGuarded = guard !== undefined
  const { logger, audit } = context
  // The console alone shows the points.
  const history =
    facts.console &&
    new LoadHistory({
      doors: facts.doors,
      memory,
      now: () => Date.now(),
      elapsed: () => performance.now(),
    })
  const parts = {
    facts: { ...facts, history },
    memory,
    counters,
    failures,
    visitors,
    isGuarded,
    logger,
    audit,
    startedAt,
  }
  const pages = new LoadedPages(parts)
  const server = await openHttpServer(
    (incoming, outgoing) => {
      const noted = context.access && notedRequest(context.access, incoming, outgoing)
      if (guard === undefined) pages.answer(incoming, outgoing)
      else void authenticateAndAnswer(guard, pages, { visitors, noted }, incoming, outgoing)
    },
    { ...context, door: 'web', counters },
    address,
  )
  const points = history && setInterval(() => history.take(), POINT_MS).unref()
  return {
    port: server.port,
    counters,
    close: async () => {
      clearInterval(points)
      await server.close()
      failures.close()
    },
  }
}

/** Authenticates the client, then answers. A client without a login continues as a Stranger, because the pages decide which need one. */
async function authenticateAndAnswer(
  guard: Guard,
  pages: LoadedPages,
  { visitors, noted }: { readonly visitors: Visitors; readonly noted: HttpAccess | undefined },
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  let hasShown = false
  const place = placeOf(incoming, 'web')
  const answer: LoginAnswer = { loginHeaders: undefined }
  try {
    const shown = await guard.ofVisitor(incoming, place, answer)
    hasShown = true
    for (const [name, value] of Object.entries(answer.loginHeaders ?? {})) outgoing.setHeader(name, value)
    const other = actingUser(incoming, parametersOf(incoming))
    const principal = other === undefined ? shown : await guard.actingFor(shown, other, place)
    visitors.set(incoming, principal)
    if (noted !== undefined) noted.principal = principal
  } catch (error) {
    const refusal = loginRefusal(guard, error, place)
    const { status, reason, headers = {} } = refusal ?? { status: statusOf(error), reason: reasonOf(error) }
    // A wrong password, or a forbidden doAs, is refused on every page, also for probes.
    if (hasShown || incoming.headers.authorization !== undefined) {
      outgoing.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(`${reason}\n`)
      return
    }
    const report = (): void => {
      if (!hasShownLogin(incoming.headers)) guard.reportRefusal(undefined, place, error)
    }
    visitors.set(incoming, new Stranger({ status, reason, headers, report }))
  }
  pages.answer(incoming, outgoing)
}

function parametersOf({ url = '' }: IncomingMessage): Iterable<readonly [string, string]> {
  const question = url.indexOf('?')
  return question < 0 ? [] : new URLSearchParams(url.slice(question + 1))
}

/** The status for an error that is not a failed login. */
function statusOf(error: unknown): number {
  if (!isHBaseError(error)) return 500
  return { ACCESS_DENIED: 403, ILLEGAL_ARGUMENT: 400 }[error.code as string] ?? 503
}

/** The pages' modules, which the first request loads. */
class LoadedPages {
  readonly #parts: WebPagesParts
  #listener: RequestListener | undefined
  #loading: Promise<RequestListener> | undefined

  constructor(parts: WebPagesParts) {
    this.#parts = parts
  }

  answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (this.#listener === undefined) void this.#answerLater(incoming, outgoing)
    else this.#listener(incoming, outgoing)
  }

  async #answerLater(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    this.#loading ??= import('./web-pages.ts').then(({ webPages }) => webPages(this.#parts))
    try {
      this.#listener = await this.#loading
    } catch (error) {
      // Such as no free file descriptor: the next request loads again.
      this.#loading = undefined
      this.#parts.failures.failed(error, { path: incoming.url ?? '' })
      outgoing.writeHead(500, { 'Content-Type': 'text/plain' }).end('Server error\n')
      return
    }
    this.#listener(incoming, outgoing)
  }
}

function notedRequest(access: RequestLog, incoming: IncomingMessage, outgoing: ServerResponse): HttpAccess {
  const [path = ''] = (incoming.url ?? '').split('?')
  const isConsole = /^\/console(?:\/|$)/.test(path)
  const isPage = WEB_PATHS.some((known) => known === path)
  const call = isConsole ? 'console' : isPage ? path.slice(1) || 'status' : 'other'
  return Object.assign(new HttpAccess(access, 'web', incoming, outgoing), { call })
}
