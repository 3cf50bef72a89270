/** The doors of HTTP over one store, for clients with tickets. */

import { request as httpRequest } from 'node:http'
import { pino } from 'pino'
import { openMemoryStore } from '../../../../../adapters/memory/memory-store.ts'
import { startRestDoor } from '../../../../../src/doors/rest/rest-door.ts'
import { openThriftServices } from '../../../../../src/doors/thrift/service/thrift-services.ts'
import { startThriftDoor } from '../../../../../src/doors/thrift/thrift-door.ts'
import { readTimelineSettings } from '../../../../../src/doors/timeline/service/timeline-settings.ts'
import { startTimelineDoor } from '../../../../../src/doors/timeline/timeline-door.ts'
import { startWebDoor } from '../../../../../src/doors/web/web-door.ts'
import { advertised } from '../../../../../src/gateway/catalog/advertised.ts'
import type { Door } from '../../../../../src/gateway/door.ts'
import {
  Guard,
  type GuardParts,
  type GuardSettings,
} from '../../../../../src/gateway/identity/guard/guard.ts'
import { DEFAULT_LIMITS } from '../../../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../../../src/gateway/limits/memory-budget.ts'
import { ServerLife } from '../../../../../src/gateway/server-life.ts'
import { familyDescriptor, tableDescriptor } from '../../../../../src/model/descriptor.ts'
import type { Sample } from '../../../../../src/model/metric.ts'
import { parseTableName } from '../../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../../src/store/call.ts'
import { FakeTickets } from '../../../../harness/fake-tickets.ts'
import { getRow } from '../../../../harness/thrift-frames.ts'

export const COOKIE_SECRET: Buffer = Buffer.from('a secret of cookies')

export type HttpDoor = 'rest' | 'thrift' | 'web' | 'timeline'

export interface Answered {
  readonly status: number
  /** All values of a header, each as the server sent it. */
  readonly values: (name: string) => string[]
  readonly body: string
}

export interface NegotiatingDoors {
  readonly tickets: FakeTickets
  readonly doors: Readonly<Record<HttpDoor, Door>>
  /** A request that needs a login. `from`: the client's address. */
  ask(
    door: HttpDoor,
    headers?: Readonly<Record<string, string>>,
    path?: string,
    method?: string,
    from?: string,
  ): Promise<Answered>
  /** The counts of tidegate_failed_logins_total. */
  failedLogins(): Sample[]
  /** The counts of tidegate_throttled_logins_total. */
  throttledLogins(): Sample[]
  close(): Promise<void>
}

export interface NegotiatingParts {
  readonly settings?: Partial<GuardSettings>
  readonly parts?: Partial<GuardParts>
  readonly tickets?: FakeTickets
}

export async function openNegotiatingDoors({
  settings,
  parts,
  tickets = new FakeTickets(),
}: NegotiatingParts = {}): Promise<NegotiatingDoors> {
  const logger = pino({ level: 'silent' })
  const cookies = { secret: COOKIE_SECRET, validityMs: 60_000, path: '/' }
  const guard = new Guard({ certificates: false, ...settings }, logger, {
    kerberos: tickets,
    cookies,
    ...parts,
  })
  const store = openMemoryStore({ clock: Date })
  await store.catalog.createTable(tableDescriptor(parseTableName('t'), [familyDescriptor('f')]), [], OWN_CALL)
  const server = { host: '127.0.0.1', port: 0, startCode: 4711 }
  const life = ServerLife.serving(advertised(store, server))
  const context = {
    store: advertised(store, server),
    server,
    limits: DEFAULT_LIMITS,
    memory: new MemoryBudget(),
    guard,
    logger,
  }
  const address = { host: '127.0.0.1', port: 0 }
  const doors: Readonly<Record<HttpDoor, Door>> = {
    rest: await startRestDoor(context, address),
    thrift: await startThriftDoor(context, address, openThriftServices(context)),
    web: await startWebDoor(context, address, { doors: new Map(), life, version: '1' }),
    timeline: await startTimelineDoor(
      context,
      address,
      readTimelineSettings(new Map([['yarn.timeline-service.ttl-enable', 'false']])),
    ),
  }
  return {
    tickets,
    doors,
    ask: (
      door,
      headers = {},
      path = PATHS[door],
      method = door === 'thrift' ? 'POST' : 'GET',
      localAddress,
    ) =>
      answered(
        doors[door].port,
        { method, path, headers, ...(localAddress !== undefined && { localAddress }) },
        door === 'thrift' ? getRow('t', 'r').subarray(4) : undefined,
      ),
    failedLogins: () => guard.counts.failedSamples(),
    throttledLogins: () => guard.counts.throttledSamples(),
    close: async () => {
      for (const door of Object.values(doors)) await door.close()
      guard.close()
      await store.close()
    },
  }
}

const PATHS: Readonly<Record<HttpDoor, string>> = {
  rest: '/t/schema',
  thrift: '/',
  web: '/metrics',
  timeline: '/ws/v1/timeline/t',
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly localAddress?: string
}

function answered(port: number, asked: Asked, body?: Buffer): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(body.length) }
    const options = { port, ...asked, headers: { ...length, ...asked.headers }, agent: false }
    const request = httpRequest(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          values: (name) => response.headersDistinct[name] ?? [],
          body: Buffer.concat(chunks).toString('latin1'),
        }),
      )
    })
    request.once('error', reject)
    request.end(body)
  })
}
