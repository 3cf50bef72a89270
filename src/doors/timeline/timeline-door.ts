/** The timeline door: YARN's Application Timeline Service, version 1, over HTTP. */

import type { RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Door, DoorAddress, DoorContext } from '../../gateway/door.ts'
import { HttpAccess } from '../../gateway/http/http-access.ts'
import { openHttpServer } from '../../gateway/http/http-server.ts'
import { breakOff } from '../../gateway/http/pipelined-answers.ts'
import { actingUser } from '../../gateway/identity/guard/acting-user.ts'
import type { Guard } from '../../gateway/identity/guard/guard.ts'
import { loginRefusal } from '../../gateway/identity/guard/http-login.ts'
import { placeOf } from '../../gateway/identity/proxies/request-origin.ts'
import { RequestFailures } from '../../gateway/observing/logs/request-failures.ts'
import { DoorCounters } from '../../gateway/observing/metrics.ts'
import type { Principal } from '../../store/call.ts'
import { withoutSecretParameters } from '../../wire/hadoop/secret-parameters.ts'
import { TimelineTokens } from './delegation/timeline-tokens.ts'
import type { AnswerDocument } from './documents/document.ts'
import { documentJson } from './documents/document-json.ts'
import { documentXml } from './documents/document-xml.ts'
import { acceptedForm, type Form } from './http/accepted-form.ts'
import { errorAnswer, Refusal, unrouted } from './http/errors.ts'
import { allowed, routeOf, workOf } from './http/routes.ts'
import { TimelineRequest } from './http/timeline-request.ts'
import { runTokenOperation, shownToken, tokenOperation, userOfToken } from './http/token-operations.ts'
import { TimelineService } from './service/timeline-service.ts'
import type { TimelineSettings } from './service/timeline-settings.ts'

const CONTENT_TYPES: Readonly<Record<Form, string>> = {
  json: 'application/json;charset=utf-8',
  xml: 'application/xml',
}

/** Rejects with UNSUPPORTED where the store's timeline tables have another version. */
export async function startTimelineDoor(
  context: DoorContext,
  address: DoorAddress,
  settings: TimelineSettings,
): Promise<Door> {
  const { store, limits, logger } = context
  const service = new TimelineService({ store, limits, logger, settings, now: Date.now })
  await service.start()
  const tokens = tokensOf(context, service, settings)
  context.onReset?.(() => service.restart())
  const counters = new DoorCounters()
  const failures = new RequestFailures('timeline', logger)
  const listener = listenerOf(context, { service, tokens }, counters, failures)
  // Threads have no timeline.
  const parts = { ...context, door: 'timeline', counters, handover: undefined }
  const server = await openHttpServer(listener, parts, address).catch(async (error: unknown) => {
    await service.close()
    throw error
  })
  return {
    port: server.port,
    counters,
    close: async () => {
      await server.close()
      await service.close()
      failures.close()
    },
  }
}

/** Undefined: clients log in by tickets alone, if at all. */
function tokensOf(
  { guard, logger }: DoorContext,
  { tables, now }: TimelineService,
  { tokens: settings }: TimelineSettings,
): TimelineTokens | undefined {
  const folder = guard?.tokenFolder
  if (folder === undefined || guard?.kerberos?.serviceAt('timeline') === undefined) return undefined
  return new TimelineTokens({ tables, folder: join(folder, 'timeline'), settings, logger, now })
}

/** The parts that requests use. */
interface Served {
  readonly service: TimelineService
  readonly tokens: TimelineTokens | undefined
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number | string[] | undefined>>
  readonly document: AnswerDocument | undefined
  /** A body in JSON in place of the document's. */
  readonly json?: string | undefined
}

function listenerOf(
  context: DoorContext,
  served: Served,
  counters: DoorCounters,
  failures: RequestFailures,
): RequestListener {
  const { limits, memory, access } = context
  return (incoming, outgoing) => {
    const request = new TimelineRequest(incoming, limits.requestBytesMax, memory)
    const noted = access && new HttpAccess(access, 'timeline', incoming, outgoing)
    request.trace = noted?.trace
    void (async () => {
      let answer: Answer
      let resource = 'other'
      try {
        answer = await answerOf(context, served, request, (known) => {
          resource = known
        })
        counters.request(resource, request.method).answered(answer.status)
      } catch (error) {
        answer = errorAnswer(error)
        if (noted !== undefined) noted.error = error
        counters.threw(counters.request(resource, methodCounted(request.method)), error)
        failures.failed(error, {
          method: request.method,
          path: withoutSecretParameters(incoming.url ?? '', '(hidden)'),
        })
      }
      if (noted !== undefined) Object.assign(noted, { call: resource, principal: request.principal })
      send(request, outgoing, answer)
    })()
  }
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'OPTIONS'])

/** The label of a method. Unknown methods share one, so that clients cannot create labels without limit. */
function methodCounted(method: string): string {
  return METHODS.has(method) ? method : 'other'
}

async function answerOf(
  context: DoorContext,
  { service, tokens }: Served,
  request: TimelineRequest,
  onResource: (resource: string) => void,
): Promise<Answer> {
  const { grant, call } = request
  if (context.memory.isFull) await grant.atOnceOrLater(() => grant.take(0, 'another request'), call.signal)
  const { guard } = context
  if (guard !== undefined) {
    const operation = tokens && tokenOperation(request)
    if (tokens !== undefined && operation !== undefined) {
      onResource('token')
      const logInFirst = (): Promise<Principal> => logIn(guard, request)
      const json = await runTokenOperation(tokens, guard, { operation, request }, logInFirst)
      return { status: 200, headers: {}, document: undefined, json: json && `${json}\n` }
    }
    request.principal = await logIn(guard, request, tokens)
  }
  const route = routeOf(service, request)
  onResource(route.resource)
  const work = workOf(route, request.method)
  const cookies = cookiesOf(request)
  if (work === undefined)
    return { status: 200, headers: { ...cookies, Allow: allowed(route.methods) }, document: undefined }
  if (acceptedForm(request.incoming.headers.accept) === undefined)
    throw unrouted(406, 'answers are available as application/json and application/xml')
  await service.ready()
  return { status: 200, headers: cookies, document: await work() }
}

/** `tokens`: delegation tokens count as logins; undefined: they do not. */
async function logIn(guard: Guard, request: TimelineRequest, tokens?: TimelineTokens): Promise<Principal> {
  const { incoming } = request
  const place = placeOf(incoming, 'timeline')
  const token = tokens && shownToken(request)
  try {
    const shown =
      tokens === undefined || token === undefined
        ? await guard.ofHttp(incoming, place, request)
        : await userOfToken(tokens, token)
    const other = actingUser(incoming, request.parameters)
    return other === undefined ? shown : await guard.actingFor(shown, other, place)
  } catch (error) {
    if (error instanceof Refusal) guard.reportRefusal('a delegation token', place, error)
    const refusal = loginRefusal(guard, error, place)
    if (refusal === undefined) throw error
    const code = CODES[refusal.status]
    const javaClass = 'org.apache.hadoop.security.authentication.client.AuthenticationException'
    throw new Refusal(refusal.status, refusal.reason, javaClass, { code, headers: refusal.headers })
  }
}

const CODES = {
  400: 'ILLEGAL_ARGUMENT',
  401: 'ACCESS_DENIED',
  403: 'ACCESS_DENIED',
  429: 'THROTTLED',
} as const

/** Hadoop's clients send user.name once, and then the cookie. The cookie is as little proof of identity as the parameter. */
function cookiesOf(request: TimelineRequest): Answer['headers'] {
  const user = request.parameter('user.name')
  if (request.principal !== undefined || user === undefined || user === '') return {}
  const name = encodeURIComponent(user)
  const token = `u=${name}&p=${name}&t=simple-dt&e=${Date.now() + COOKIE_MS}&s=none`
  return { 'Set-Cookie': `hadoop.auth="${token}"; Path=/; HttpOnly` }
}

const COOKIE_MS = 36_000_000

function send(request: TimelineRequest, outgoing: ServerResponse, answer: Answer): void {
  const { grant, incoming } = request
  try {
    const { document, json } = answer
    const form = json === undefined ? (acceptedForm(incoming.headers.accept) ?? 'json') : 'json'
    const text = json ?? (document && (form === 'json' ? documentJson(document) : documentXml(document)))
    const body = text === undefined ? undefined : Buffer.from(text)
    grant.noteAnswer(body?.length ?? 0)
    outgoing.writeHead(answer.status, {
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      'X-XSS-Protection': '1; mode=block',
      'X-Frame-Options': 'SAMEORIGIN',
      ...(body !== undefined && { 'Content-Type': CONTENT_TYPES[form] }),
      'Content-Length': body?.length ?? 0,
      ...request.loginHeaders,
      ...answer.headers,
    })
    outgoing.end(request.method === 'HEAD' ? undefined : body)
  } catch (error) {
    breakOff(outgoing, error instanceof Error ? error : undefined)
  } finally {
    // The answer counts as memory until the socket has it, which a slow client delays.
    if (outgoing.writableFinished || outgoing.destroyed) grant.release()
    else outgoing.once('close', () => grant.release())
  }
}
