/** A REST door on a free port, over a memory store or a store that the test opens, and a client that sends paths unchanged. */

import { Agent, request } from 'node:http'
import { pino } from 'pino'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { type RestDoorOptions, startRestDoor } from '../../../src/doors/rest/rest-door.ts'
import { type AdvertisedStore, advertised } from '../../../src/gateway/catalog/advertised.ts'
import { DEFAULT_LIMITS, type Limits } from '../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import type { DoorCounters } from '../../../src/gateway/observing/metrics.ts'
import type { DecodeThreads } from '../../../src/gateway/requests/decoding/decode-threads.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import { withFacets } from '../../../src/store/decorate.ts'
import type { Store } from '../../../src/store/store.ts'
import { ARE_IN_THREADS, RestThreads } from './rest-threads.ts'

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
  readonly text: string
}

export interface Question {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export interface RestServer {
  readonly port: number
  readonly store: AdvertisedStore
  readonly counters: DoorCounters
  /** The door's log: levels and messages. */
  readonly logged: readonly string[]
  ask(method: string, path: string, question?: Question): Promise<Reply>
  /** GET with an Accept header, by default JSON. */
  get(path: string, accept?: string): Promise<Reply>
  /** PUT of a JSON body. */
  put(path: string, json: string): Promise<Reply>
  close(): Promise<void>
}

const SCHEMA = '{"ColumnSchema":[{"name":"f","VERSIONS":"100"},{"name":"g"}]}'

/** The region server whose address clients get. */
export const SERVER: ServerName = { host: 'region.server', port: 16020, startCode: 7 }

/** Creates the table `t` with the families f, of 100 versions, and g. `facets`: they replace the store's. */
export async function startRestServer(
  limits: Partial<Limits> = {},
  facets: Partial<Pick<Store, 'rows' | 'handouts' | 'upkeep'>> = {},
  opened: Store = openMemoryStore({ clock: { now: Date.now } }),
  options: RestDoorOptions = {},
  memory: MemoryBudget = new MemoryBudget(),
  decoding?: DecodeThreads,
): Promise<RestServer> {
  const store = advertised(withFacets(opened, facets), SERVER)
  const logged: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => logged.push(summaryOf(line)) })
  const stated = { ...options, limits: { ...DEFAULT_LIMITS, ...limits } }
  const threads = ARE_IN_THREADS ? new RestThreads(stated, memory.bytesMax) : undefined
  const context = {
    store,
    server: SERVER,
    limits: stated.limits,
    memory,
    decoding,
    logger,
    ...threads?.context,
  }
  const door = await startRestDoor(context, { host: '127.0.0.1', port: 0 }, options)
  await threads?.start({ store, server: SERVER, doors: new Map([['rest', door]]) })
  const agent = new Agent({ keepAlive: true })
  const ask: RestServer['ask'] = (method, path, question = {}) =>
    send(agent, door.port, method, path, question)
  const server: RestServer = {
    port: door.port,
    store,
    counters: door.counters,
    logged,
    ask,
    get: (path, accept = 'application/json') => ask('GET', path, { headers: { Accept: accept } }),
    put: (path, json) =>
      ask('PUT', path, {
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: json,
      }),
    close: async () => {
      agent.destroy()
      await Promise.all([door.close(), threads?.stop()])
      await store.close()
    },
  }
  await server.put('/t/schema', SCHEMA)
  return server
}

function summaryOf(line: string): string {
  const { level, msg } = JSON.parse(line) as { level: number; msg: string }
  return `${pino.levels.labels[level]}: ${msg}`
}

function send(agent: Agent, port: number, method: string, path: string, question: Question): Promise<Reply> {
  const { headers, body } = question
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('error', reject)
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const bytes = Buffer.concat(chunks)
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers as Reply['headers'],
          body: bytes,
          text: bytes.toString(),
        })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

export function base64(text: string): string {
  return Buffer.from(text, 'latin1').toString('base64')
}

/** A cell set of one row as JSON; each cell is column, value and maybe timestamp. */
export function rowJson(row: string, ...cells: [string, string, (number | string)?][]): string {
  const texts = cells.map(([column, value, timestamp]) => {
    const time = timestamp === undefined ? '' : `"timestamp":${timestamp},`
    return `{"column":"${base64(column)}",${time}"$":"${base64(value)}"}`
  })
  return `{"Row":[{"key":"${base64(row)}","Cell":[${texts.join(',')}]}]}`
}

/** The keys of a JSON cell set's rows, as text. */
export function rowKeys(reply: Reply): string[] {
  const { Row } = JSON.parse(reply.text) as { Row: { key: string }[] }
  return Row.map(({ key }) => Buffer.from(key, 'base64').toString('latin1'))
}

/** The values of a JSON cell set's cells, as text. */
export function cellValues(reply: Reply): string[] {
  const { Row } = JSON.parse(reply.text) as { Row: { Cell: { $: string }[] }[] }
  return Row.flatMap(({ Cell }) => Cell.map((cell) => Buffer.from(cell.$, 'base64').toString('latin1')))
}
