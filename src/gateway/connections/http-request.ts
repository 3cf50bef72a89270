import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'

/** The head of a request of HTTP, by whichever part of the server it was read. Node's IncomingMessage is one. */
export interface HttpRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders
  readonly headersDistinct: NodeJS.Dict<string[]>
  readonly httpVersionMinor: number
  readonly socket: Socket
}
