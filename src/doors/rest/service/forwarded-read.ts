/** Forwards requests for scanners of a sibling process to it, and returns its answers. */

import { Agent, createServer, type IncomingMessage, type RequestListener, request as send } from 'node:http'
import { readClient, writtenClient } from '../../../gateway/siblings/handed-on.ts'
import type { Siblings } from '../../../gateway/siblings/siblings.ts'
import { EMPTY } from '../../../model/bytes.ts'
import type { Answer } from '../http/answer.ts'
import type { RestRequest } from '../http/request.ts'

/** Headers of a sibling's answer that go to the client. The door of this process writes the others. */
const KEPT_HEADERS: ReadonlyMap<string, string> = new Map([
  ['cache-control', 'Cache-Control'],
  ['x-row', 'X-Row'],
  ['x-column', 'X-Column'],
  ['x-timestamp', 'X-Timestamp'],
])

/** The client of a forwarded request, in requests between siblings only. */
const CLIENT_HEADER = 'x-tidegate-client'

export class ForwardedReads {
  readonly #siblings: Siblings
  readonly #agent = new Agent({ keepAlive: true })

  constructor(siblings: Siblings) {
    this.#siblings = siblings
  }

  /**
   * The answer of the sibling that has the scanner; the sibling counts the request. Undefined where no sibling has it, or where the sibling
   * has ended, which ends its scanners too. `lease`: the scanner's number.
   */
  async answer(request: RestRequest, lease: number): Promise<Answer | undefined> {
    const socketPath = this.#siblings.holderOf(lease, 'rest')
    if (socketPath === undefined) return undefined
    const { method, path, search, call } = request
    const { accept, host } = request.incoming.headers
    const headers = { host, ...(accept !== undefined && { accept }), [CLIENT_HEADER]: writtenClient(call) }
    const target = search === '' ? path : `${path}?${search}`
    try {
      const agent = this.#agent
      const { signal } = call
      const options = { socketPath, agent, method, path: target, headers, ...(signal && { signal }) }
      return await answerOf(await sent(options))
    } catch {
      return undefined
    }
  }

  close(): void {
    this.#agent.destroy()
  }
}

function sent(options: Parameters<typeof send>[1]): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    send(options as object, resolve)
      .once('error', reject)
      .end()
  })
}

async function answerOf(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const headers: Record<string, string> = {}
  for (const [name, written] of KEPT_HEADERS) {
    const value = response.headers[name]
    if (typeof value === 'string') headers[written] = value
  }
  const status = response.statusCode!
  const body = chunks.length === 0 ? EMPTY : Buffer.concat(chunks)
  const hasBody = body.length > 0
  return {
    status,
    headers,
    contentType: response.headers['content-type'],
    isForwarded: true,
    ...(hasBody && { body }),
  }
}

export interface SiblingServer {
  close(): Promise<void>
}

/** Takes the client of a forwarded request from the sibling, which has authenticated it. */
export async function acceptForwardedClient(request: RestRequest): Promise<void> {
  const { principal, address } = readClient(request.header(CLIENT_HEADER)!)
  request.principal = principal
  request.clientAddress = address
}

/** Serves the requests that siblings forward. */
export async function openToSiblings(siblings: Siblings, listener: RequestListener): Promise<SiblingServer> {
  // The sibling already enforces the time limits on the client.
  const limits = { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 }
  const server = createServer(limits, listener)
  await siblings.listen(server, 'rest')
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
