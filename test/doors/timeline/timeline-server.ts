/** A timeline door on a memory store, for tests. */

import { pino } from 'pino'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { readTimelineSettings } from '../../../src/doors/timeline/service/timeline-settings.ts'
import { startTimelineDoor } from '../../../src/doors/timeline/timeline-door.ts'
import { advertised } from '../../../src/gateway/catalog/advertised.ts'
import type { DoorContext } from '../../../src/gateway/door.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'

export const SERVER = { host: 'region.server', port: 16020, startCode: 1 }
const ROOT = '/ws/v1/timeline'

export interface Told {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

export interface TimelineServer {
  readonly store: Store
  get(path: string, headers?: Record<string, string>): Promise<Told>
  post(entities: readonly object[], user?: string): Promise<Told>
  putDomain(domain: object, user?: string): Promise<Told>
  ask(path: string, init?: RequestInit): Promise<Told>
  close(): Promise<void>
}

/** `properties`: YARN's keys without their common begin; nothing expires unless they say so. */
export async function timelineServer(
  properties: Readonly<Record<string, string>> = {},
  store: Store = openMemoryStore({ clock: { now: Date.now } }),
  context: Partial<DoorContext> = {},
): Promise<TimelineServer> {
  const settings = readTimelineSettings(
    new Map(Object.entries({ 'yarn.timeline-service.ttl-enable': 'false', ...properties })),
  )
  const door = await startTimelineDoor(
    {
      store: advertised(store, SERVER),
      server: SERVER,
      limits: DEFAULT_LIMITS,
      memory: new MemoryBudget(),
      logger: pino({ level: 'silent' }),
      ...context,
    },
    { host: '127.0.0.1', port: 0 },
    settings,
  )
  const ask = async (path: string, init: RequestInit = {}): Promise<Told> => {
    const response = await fetch(`http://127.0.0.1:${door.port}${path}`, init)
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  const sendJson = (method: string, path: string, body: unknown): Promise<Told> =>
    ask(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return {
    store,
    ask,
    get: (path, headers = {}) => ask(ROOT + path, { headers }),
    post: (entities, user = 'alice') => sendJson('POST', `${ROOT}?user.name=${user}`, { entities }),
    putDomain: (domain, user = 'alice') => sendJson('PUT', `${ROOT}/domain?user.name=${user}`, domain),
    close: () => door.close(),
  }
}

/** The names of the timeline's tables, without their namespace. */
export async function tableNames({ catalog }: Store): Promise<string[]> {
  const tables = await catalog.listTables(OWN_CALL)
  return tables.map(({ name }) => name.replace('timeline:', ''))
}

/** The rows of one of the timeline's tables: keys and values in latin1. */
export async function rowsOf({ rows, handouts }: Store, table: string): Promise<[string, string][]> {
  const { id } = await rows.openScanner(parseTableName(`timeline:${table}`), scan(), OWN_CALL)
  const batch = await handouts.next(id, { rows: 10_000, bytes: 10_000_000, allowPartial: false }, OWN_CALL)
  await handouts.closeScanner(id)
  return cellsOf(gathered(batch.results).cells).map(({ row, value }) => [
    row.toString('latin1'),
    value.toString('latin1'),
  ])
}
