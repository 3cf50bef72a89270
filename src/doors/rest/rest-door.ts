/**
 * The REST door: HBase's REST interface over HTTP/1.1. Nearly all requests are for rows, so the door recognises their paths itself;
 * Hono routes the others. RestRequest reads every request, and writeAnswer writes every answer.
 */

import type { RequestListener } from 'node:http'
import type { Door, DoorAddress, DoorContext } from '../../gateway/door.ts'
import { callerGone, isHangUp } from '../../gateway/http/hang-up.ts'
import { HttpAccess } from '../../gateway/http/http-access.ts'
import { type HttpExchange, NodeExchange } from '../../gateway/http/http-exchange.ts'
import { openHttpServer } from '../../gateway/http/http-server.ts'
import { breakOff } from '../../gateway/http/pipelined-answers.ts'
import type { AnswerExchange } from '../../gateway/http/small-requests.ts'
import type { RequestLog } from '../../gateway/observing/logs/access-log.ts'
import { RequestFailures } from '../../gateway/observing/logs/request-failures.ts'
import { DoorCounters } from '../../gateway/observing/metrics.ts'
import { GET_PIECE } from '../../gateway/reads/many-gets.ts'
import { ScannerLeases } from '../../gateway/reads/scanner-leases.ts'
import { STREAM_BYTES } from './answers/paged-scan.ts'
import { type Answer, sentAtOnce, writeAnswer } from './http/answer.ts'
import { Cors } from './http/cors.ts'
import { Csrf, type CsrfSettings } from './http/csrf.ts'
import { errorAnswer, Refusal } from './http/errors.ts'
import { logIn as logInClient } from './http/log-in.ts'
import { isWellEncoded } from './http/percent.ts'
import { acceptsProblem, problemAnswer } from './http/problem.ts'
import { RestRequest } from './http/request.ts'
import { RequestCounters } from './http/request-counters.ts'
import { type SecurityHeaderSettings, SecurityHeaders } from './http/security-headers.ts'
import { parseRowPath } from './parameters/row-path.ts'
import { type Route, routerOf } from './router.ts'
import { answerRowPath } from './row-resource.ts'
import type { CellStream } from './service/cell-stream.ts'
import { acceptForwardedClient, ForwardedReads, openToSiblings } from './service/forwarded-read.ts'
import { OpenFeeds } from './service/open-feeds.ts'
import type { RestService, StatefulScanner } from './service/rest-service.ts'

const INSTEAD_OF_LONG_LINE =
  'Send a multiget of many rows by POST, with the query in the body as application/x-www-form-urlencoded: docs/rest.md'

export interface RestDoorOptions {
  /** Origins of pages whose scripts may use the door (`https://example.org`), or `*`. Empty: CORS is off. */
  readonly corsOrigins?: readonly string[]
  /** Undefined: browsers need no extra header. */
  readonly csrf?: CsrfSettings | undefined
  readonly securityHeaders?: SecurityHeaderSettings | undefined
}

export async function startRestDoor(
  context: DoorContext,
  address: DoorAddress,
  { corsOrigins = [], csrf, securityHeaders }: RestDoorOptions = {},
): Promise<Door> {
  const { limits, siblings } = context
  const scanners = new ScannerLeases<StatefulScanner, CellStream>({
    idleMs: limits.restScannerIdleMs,
    sleepMs: limits.scannerIdleMs,
    memory: context.memory,
    countMax: limits.scannersMax,
    clientCountMax: limits.clientScannersMax,
    ids: siblings?.scannerIds,
  })
  const feeds = new OpenFeeds(limits.changeFeedsMax)
  const service: RestService = {
    ...context,
    feeds,
    getLimits: GET_PIECE,
    scanners,
    scannerIdPrefix: `${siblings?.startedAt ?? Date.now()}s`,
  }
  const counters = new DoorCounters()
  counters.scanners('scanner', () => scanners.size)
  counters.feeds = feeds
  const cors = corsOrigins.length === 0 ? undefined : new Cors(corsOrigins)
  const failures = new RequestFailures('REST', context.logger)
  const ofSiblings =
    siblings &&
    (await openToSiblings(
      siblings,
      listenerFor(
        exchangesOf({ ...service, access: undefined }, counters, failures, { logIn: acceptForwardedClient }),
      ),
    ))
  const forwarding = siblings && new ForwardedReads(siblings)
  const { guard } = context
  const login = guard && ((request: RestRequest) => logInClient(guard, request))
  const answerExchange = exchangesOf({ ...service, forwarding }, counters, failures, {
    cors,
    logIn: login,
    csrf: csrf && new Csrf(csrf),
    securityHeaders: new SecurityHeaders(securityHeaders),
  })
  const parts = {
    ...context,
    door: 'rest',
    counters,
    insteadOfLongLine: INSTEAD_OF_LONG_LINE,
    answerSmall: answerExchange,
  }
  const server = await openHttpServer(listenerFor(answerExchange), parts, address).catch(
    async (error: unknown) => {
      await ofSiblings?.close()
      throw error
    },
  )
  return {
    port: server.port,
    counters,
    close: async () => {
      feeds.stop()
      await server.close()
      await ofSiblings?.close()
      forwarding?.close()
      await scanners.closeAll()
      failures.close()
    },
  }
}

type LogIn = (request: RestRequest) => void | Promise<void>

/** Checks and headers of a listener for its clients. */
interface ClientParts {
  readonly cors?: Cors | undefined
  /** Authenticates the request's client; undefined: every client may use the door. */
  readonly logIn?: LogIn | undefined
  readonly csrf?: Csrf | undefined
  readonly securityHeaders?: SecurityHeaders | undefined
}

function listenerFor(answerExchange: AnswerExchange): RequestListener {
  return (incoming, outgoing) => answerExchange(new NodeExchange(incoming, outgoing))
}

function exchangesOf(
  service: RestService,
  counters: DoorCounters,
  failures: RequestFailures,
  { cors, logIn, csrf, securityHeaders }: ClientParts,
): AnswerExchange {
  const { limits, memory } = service
  const parts = { counters, failures, cors, securityHeaders, access: service.access }
  const answerRequest = answererOf({ ...parts, logIn, csrf })
  // Browsers send preflights without credentials.
  const answerPreflight = answererOf(parts)
  const routeOf = routerOf(service, counters)
  const ofPaths = {
    row: new RequestCounters(counters, 'row'),
    scan: new RequestCounters(counters, 'scan'),
    multiget: new RequestCounters(counters, 'multiget'),
    other: new RequestCounters(counters, 'other'),
  }
  const other = (method: string, work: Route['work']): Route => ({
    counts: ofPaths.other.forMethod(method),
    call: 'other',
    work,
  })
  return (exchange) => {
    const request = new RestRequest(exchange, limits.requestBytesMax, memory)
    const { method, path } = request
    const preflight = cors?.preflight(exchange.request)
    if (preflight !== undefined) {
      void answerPreflight(
        request,
        exchange,
        other(method, () => preflight),
      )
      return
    }
    if (method === 'TRACE' || !isWellEncoded(path)) {
      void answerRequest(request, exchange, other(method, refuseRequest))
      return
    }
    const rowPath = parseRowPath(path)
    if (rowPath === undefined) {
      void answerRequest(request, exchange, routeOf(method, path))
      return
    }
    const { kind: call, table } = rowPath
    const counts = ofPaths[call].forMethod(method)
    const work = (): Answer | Promise<Answer> => answerRowPath(service, request, rowPath)
    void answerRequest(request, exchange, { counts, call, table, work })
  }
}

/** HBase: HttpServerUtil.constrainHttpMethods forbids TRACE everywhere. */
function refuseRequest(request: RestRequest): Answer {
  if (request.method === 'TRACE') throw new Refusal(403, 'TRACE is forbidden')
  throw new Refusal(
    400,
    `${request.path} has a brace, a NUL byte (%00), or a percent sign without two hexadecimal digits`,
  )
}

type AnswerRequest = (request: RestRequest, exchange: HttpExchange, route: Route) => Promise<void>

interface AnswererParts extends ClientParts {
  readonly counters: DoorCounters
  readonly failures: RequestFailures
  readonly access: RequestLog | undefined
}

/** Never rejects: an error becomes the answer, or closes the connection where the answer has begun. */
function answererOf({
  counters,
  failures,
  cors,
  access,
  logIn,
  csrf,
  ...parts
}: AnswererParts): AnswerRequest {
  const { securityHeaders = new SecurityHeaders() } = parts
  return async (request, exchange, route) => {
    const { counts, work } = route
    const since = performance.now()
    const noted = access && notedRequest(access, request, exchange, route)
    let answer: Answer
    let thrown: unknown
    try {
      const room = request.awaitMemory()
      if (room !== undefined) await room
      csrf?.check(request.incoming)
      const entering = logIn?.(request)
      if (entering !== undefined) await entering
      if (noted !== undefined) noted.principal = request.principal
      answer = await work(request)
    } catch (error) {
      thrown = error
      if (noted !== undefined) noted.error = error
      answer = errorAnswer(error)
    }
    if (
      answer.status >= 400 &&
      answer.isForwarded !== true &&
      acceptsProblem(request.incoming.headers.accept)
    ) {
      answer = problemAnswer(answer, thrown, request.path)
    }
    const { loginHeaders } = request
    if (loginHeaders !== undefined) answer = { ...answer, headers: { ...loginHeaders, ...answer.headers } }
    if (cors !== undefined) answer = cors.withHeaders(request.incoming, answer)
    try {
      const fixed = securityHeaders.forRequest(exchange.request)
      if (!sentAtOnce(exchange, answer, fixed)) {
        noteAnswer(request, answer)
        await writeAnswer(exchange, answer, fixed)
      } else if (exchange.unsentBytes > 0) noteAnswer(request, answer)
      if (thrown === undefined && answer.isForwarded !== true)
        counts.answered(answer.status, answer.isAbsence)
    } catch (error) {
      breakOff(exchange.outgoing)
      thrown ??= isHangUp(error) ? callerGone(error) : error
    } finally {
      // Until the socket has the answer, a slow client keeps the answer in memory.
      const { grant } = request
      if (grant.bytes > 0) exchange.whenSent(() => grant.release())
      if (answer.isForwarded !== true && answer.isLive !== true)
        counts.latencies.add(performance.now() - since)
    }
    if (thrown === undefined) return
    if (noted !== undefined) noted.error = thrown
    counters.threw(counts, thrown)
    failures.failed(thrown, { method: request.method, path: request.path })
  }
}

function notedRequest(
  access: RequestLog,
  request: RestRequest,
  { request: incoming, outgoing }: HttpExchange,
  { call, table }: Route,
): HttpAccess {
  const noted = Object.assign(new HttpAccess(access, 'rest', incoming, outgoing), { call, table })
  request.trace = noted.trace
  return noted
}

/** Counts the memory of an answer that its client has not read. */
function noteAnswer(request: RestRequest, { body }: Answer): void {
  if (body !== undefined) request.noteAnswer(Buffer.isBuffer(body) ? body.length : STREAM_BYTES)
}
