/**
 * Ends a server again and again, under writers at every door, on one folder, and checks after each start that it has what
 * it acknowledged. Some ends come while it starts.
 */

import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { ChildServer } from '../child-server.ts'
import { MAIN, startTidegate } from '../tidegate-process.ts'
import { KeptRows, NO_ROW, stateOf } from './kept-rows.ts'
import { KillWriter } from './kill-writer.ts'
import { RowReader } from './row-reader.ts'
import { TABLE } from './writing-door.ts'
import { DOORS } from './writing-doors.ts'

const FLUSH_BYTES = 1 << 20
/** Answers that were sent before the end are on their way for so long at most. */
const LAST_ANSWERS_MS = 30
/** Each writer has made its connection by then. */
const LIFE_MS_MIN = 100
const POLL_MS = 10
/** A stop by SIGTERM takes no longer. */
const STOP_MS_MAX = 10_000

export interface KillLoopOptions {
  readonly folder: string
  readonly kills: number
  /** SIGTERM: the server must stop in order, and also then lose nothing that it has accepted. */
  readonly signal?: 'SIGKILL' | 'SIGTERM'
  /** Most milliseconds of a life under load, beyond the first 100. */
  readonly lifeMsMax: number
  readonly say: (line: string) => void
}

export interface KillLoopResult {
  readonly kills: number
  /** Operations that were acknowledged, by the writers' doors. */
  readonly acknowledged: Readonly<Record<string, number>>
  /** Names in the folder after a clean stop at the end. */
  readonly names: readonly string[]
  /** Files that were set aside since the beginning, below `lost+found`: a kill is no reason for any. */
  readonly setAside: readonly string[]
  /** The longest start, in milliseconds. */
  readonly startMsMax: number
}

interface Client {
  readonly name: string
  readonly kept: KeptRows
  readonly writer: KillWriter
}

/** Throws where an acknowledged change is gone, or a row has a state that it cannot have. */
export async function killRepeatedly(options: KillLoopOptions): Promise<KillLoopResult> {
  const { folder, kills, lifeMsMax, signal = 'SIGKILL', say } = options
  const store = `native:${folder}`
  const clients = Object.keys(DOORS).map((name) => {
    const kept = new KeptRows()
    return { name, kept, writer: new KillWriter(name, kept) }
  })
  const setAsideBefore = namesSetAside(folder)
  let startMsMax = 0
  let server = await startTidegate(store, '--web', 'off')
  try {
    await createTable(server)
    for (let life = 1; life <= kills; life++) {
      await live(server, clients, LIFE_MS_MIN + Math.random() * lifeMsMax, signal)
      if (signal === 'SIGKILL' && life % 4 === 0) await killAtStart(store)
      const begin = performance.now()
      server = await startTidegate(store, '--web', 'off')
      startMsMax = Math.max(startMsMax, Math.round(performance.now() - begin))
      for (const client of clients) await checkLast(server, client)
      if (life % 20 === 0) say(`${life} kills, ${JSON.stringify(acknowledgedBy(clients))}`)
    }
    await checkAll(server, clients)
    await server.stop()
  } catch (error) {
    await server.stop('SIGKILL')
    throw error
  }
  const setAside = namesSetAside(folder).filter((name) => !setAsideBefore.includes(name))
  return { kills, acknowledged: acknowledgedBy(clients), names: readdirSync(folder), setAside, startMsMax }
}

function acknowledgedBy(clients: readonly Client[]): Record<string, number> {
  return Object.fromEntries(clients.map(({ name, kept }) => [name, kept.acknowledged]))
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function createTable(server: ChildServer): Promise<void> {
  const families = [{ name: 'f' }, { name: 'g' }]
  const schema = { name: TABLE, MEMSTORE_FLUSHSIZE: String(FLUSH_BYTES), ColumnSchema: families }
  const response = await fetch(`http://127.0.0.1:${server.port('rest')}/${TABLE}/schema`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(schema),
  })
  if (!response.ok) throw new Error(`no table: ${response.status} ${await response.text()}`)
}

/** A life of the server under all writers, and its end. */
async function live(
  server: ChildServer,
  clients: readonly Client[],
  ms: number,
  signal: 'SIGKILL' | 'SIGTERM',
): Promise<void> {
  let isDying = false
  let die!: (error: Error) => void
  const dead = new Promise<never>((_, reject) => {
    die = reject
  })
  dead.catch(() => undefined)
  const doors = clients.map(({ name }) => DOORS[name]!(server))
  const writing = clients.map(({ writer }, index) => writer.write(doors[index]!, dead, () => isDying))
  const failed = Promise.all(writing)
  await Promise.race([wait(ms), failed])
  // A slow machine may have given a door no turn yet.
  while (clients.some(({ kept }) => kept.acknowledged === 0)) await Promise.race([wait(POLL_MS), failed])
  isDying = true
  const begin = performance.now()
  const code = await server.stop(signal)
  if (signal === 'SIGTERM' && (code !== 0 || performance.now() - begin > STOP_MS_MAX))
    throw new Error(`SIGTERM ended with code ${code} after ${Math.round(performance.now() - begin)} ms`)
  await wait(LAST_ANSWERS_MS)
  die(new Error('the server has ended'))
  await failed
  for (const door of doors) door.close()
}

/** A start that dies in its midst. */
async function killAtStart(store: string): Promise<void> {
  const args = [MAIN, 'serve', '--store', store, '--rest', '0', '--thrift', 'off', '--rpc', 'off']
  args.push('--zookeeper', 'off', '--web', 'off')
  const child = spawn(process.execPath, [...args, '--log-level', 'silent'], { stdio: 'ignore' })
  await wait(100 + Math.random() * 400)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

/** Checks a writer's changing rows, its last puts and one of the earlier ones. */
async function checkLast(server: ChildServer, { kept, writer }: Client): Promise<void> {
  const { puts } = writer
  const numbers = [puts, puts - 1, puts - 2, Math.floor(Math.random() * puts)].filter((number) => number >= 0)
  const names = [...writer.changing, ...new Set(numbers.map((number) => writer.putRow(number)))]
  const reader = new RowReader(server.port('thrift'))
  const found = await reader.rows(names)
  reader.close()
  for (const name of names) {
    const cells = found.get(name)
    kept.found(name, cells === undefined ? NO_ROW : stateOf(cells))
  }
  writer.learn(found)
}

/** Checks every row of the table, and that there are no others. */
async function checkAll(server: ChildServer, clients: readonly Client[]): Promise<void> {
  const reader = new RowReader(server.port('thrift'))
  const seen = new Set<string>()
  for await (const rows of reader.all()) {
    for (const [name, cells] of rows) {
      const client = clients.find((each) => name.startsWith(`${each.name}-`))
      if (client === undefined || seen.has(name)) throw new Error(`row ${name} is there, or there again`)
      client.kept.found(name, stateOf(cells))
      seen.add(name)
    }
  }
  reader.close()
  for (const { kept } of clients) for (const name of kept.names) if (!seen.has(name)) kept.found(name, NO_ROW)
}

function namesSetAside(folder: string): string[] {
  const place = `${folder}/lost+found`
  if (!existsSync(place)) return []
  const found = readdirSync(place, { recursive: true, withFileTypes: true })
  return found
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(place.length + 1))
}
