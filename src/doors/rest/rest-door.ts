/**
 * The REST door: HBase's REST interface over HTTP/1.1. Nearly all requests are for rows: the door recognises those by
 * their path itself, and Hono routes the others. One class reads every request, one function writes every answer.
 */

import type { RequestListener, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Door, DoorAddress, DoorContext } from '../../gateway/door.ts'
import { openHttpServer } from '../../gateway/http-server.ts'
import type { MemoryGrant } from '../../gateway/memory-budget.ts'
import { DoorCounters } from '../../gateway/metrics.ts'
import { ScannerLeases } from '../../gateway/scanner-leases.ts'
import { isHBaseError } from '../../model/errors.ts'
import { type Answer, writeAnswer } from './http/answer.ts'
import { Cors } from './http/cors.ts'
import { errorAnswer, Refusal } from './http/errors.ts'
import { FailureLog } from './http/failure-log.ts'
import { callerGone, isHangUp } from './http/hang-up.ts'
import { isWellEncoded } from './http/percent.ts'
import { acceptsProblem, problemAnswer } from './http/problem.ts'
import { RestRequest } from './http/request.ts'
import { RequestCounters } from './http/request-counters.ts'
import { type Route, routerOf } from './http/router.ts'
import { answerRowPath } from './rows/row-resource.ts'
import { parseRowPath } from './rows/table-path.ts'
import type { CellStream } from './scans/cell-stream.ts'
import { PAGE_BYTES } from './scans/scan-answer.ts'
import type { RestService, StatefulScanner } from './service.ts'

/** What an answer in pages holds while its client reads: a page of cells, its encoded form, and what streams keep of that. */
const STREAM_BYTES = 4 * PAGE_BYTES

const INSTEAD_OF_LONG_LINE =
  'A multiget of many rows goes by POST, its query in the body as application/x-www-form-urlencoded: docs/rest.md'

export interface RestDoorOptions {
  /** Origins of pages whose scripts may use the door (`https://example.org`), or `*`; none: CORS is off. */
  readonly corsOrigins?: readonly string[]
}

export async function startRestDoor(
  context: DoorContext,
  address: DoorAddress,
  { corsOrigins = [] }: RestDoorOptions = {},
): Promise<Door> {
  const { limits } = context
  const scanners = new ScannerLeases<StatefulScanner, CellStream>({
    idleMs: limits.scannerIdleMs,
    countMax: limits.scannersMax,
    clientCountMax: limits.clientScannersMax,
  })
  const service: RestService = {
    ...context,
    getLimits: { bytes: limits.responseBytesMax },
    scanners,
    scannerIdPrefix: `${Date.now()}s`,
  }
  const counters = new DoorCounters()
  counters.scanners('scanner', () => scanners.size)
  const cors = corsOrigins.length === 0 ? undefined : new Cors(corsOrigins)
  const parts = { ...context, door: 'rest', counters, insteadOfLongLine: INSTEAD_OF_LONG_LINE }
  const server = await openHttpServer(listenerOf(service, counters, cors), parts, address)
  return {
    port: server.port,
    counters,
    close: async () => {
      await server.close()
      await scanners.closeAll()
    },
  }
}

function listenerOf(service: RestService, counters: DoorCounters, cors: Cors | undefined): RequestListener {
  const { limits, logger, memory } = service
  const answerRequest = answererOf(counters, logger, cors)
  const routeOf = routerOf(service, counters)
  const ofPaths = {
    row: new RequestCounters(counters, 'row'),
    scan: new RequestCounters(counters, 'scan'),
    multiget: new RequestCounters(counters, 'multiget'),
    other: new RequestCounters(counters, 'other'),
  }
  return (incoming, outgoing) => {
    const request = new RestRequest(incoming, limits.requestBytesMax, memory)
    const { method, path } = request
    const preflight = cors?.preflight(incoming)
    if (preflight !== undefined) {
      void answerRequest(request, outgoing, { counts: ofPaths.other.of(method), work: () => preflight })
      return
    }
    if (method === 'TRACE' || !isWellEncoded(path)) {
      void answerRequest(request, outgoing, { counts: ofPaths.other.of(method), work: refuseRequest })
      return
    }
    const rowPath = parseRowPath(path)
    if (rowPath === undefined) {
      void answerRequest(request, outgoing, routeOf(method, path))
      return
    }
    const counts = ofPaths[rowPath.kind].of(method)
    void answerRequest(request, outgoing, { counts, work: () => answerRowPath(service, request, rowPath) })
  }
}

/** HBase: HttpServerUtil.constrainHttpMethods forbids TRACE everywhere. */
function refuseRequest(request: RestRequest): Answer {
  if (request.method === 'TRACE') throw new Refusal(403, 'TRACE is forbidden')
  throw new Refusal(400, `${request.path} has a brace, or a percent sign that begins no byte of a path`)
}

type AnswerRequest = (request: RestRequest, outgoing: ServerResponse, route: Route) => Promise<void>

/** Never rejects: an error becomes the answer, or ends the connection where an answer has begun. */
function answererOf(counters: DoorCounters, logger: Logger, cors: Cors | undefined): AnswerRequest {
  const failures = new FailureLog(logger)
  return async (request, outgoing, { counts, work }) => {
    let answer: Answer
    let thrown: unknown
    try {
      request.checkMemory()
      answer = await work(request)
    } catch (error) {
      thrown = error
      answer = errorAnswer(error)
    }
    if (answer.status >= 400 && acceptsProblem(request.incoming.headers.accept)) {
      answer = problemAnswer(answer, thrown, request.path)
    }
    if (cors !== undefined) answer = cors.labelled(request.incoming, answer)
    try {
      if (answer.body !== undefined)
        request.grant.note(Buffer.isBuffer(answer.body) ? answer.body.length : STREAM_BYTES)
      await writeAnswer(request.incoming, outgoing, answer)
      if (thrown === undefined) counts.answered(answer.status)
    } catch (error) {
      outgoing.destroy()
      thrown ??= isHangUp(error) ? callerGone(error) : error
    } finally {
      releaseOnceSent(outgoing, request.grant)
    }
    if (thrown === undefined) return
    counters.threw(counts, thrown)
    if (isHBaseError(thrown)) failures.failed(thrown, request)
    else logger.error({ err: thrown, method: request.method, path: request.path }, 'REST: a bug in Tidegate')
  }
}

/** A slow reader's answer stays in memory until the socket has it. */
function releaseOnceSent(outgoing: ServerResponse, grant: MemoryGrant): void {
  if (grant.bytes === 0) return
  if (outgoing.writableFinished || outgoing.destroyed) grant.release()
  else outgoing.once('close', () => grant.release())
}
