/**
 * Ends a server again and again, under writers at every door, on one folder, and checks after each start that it has what
 * it acknowledged. Some ends come while it starts.
 */

import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { ChildServer } from '../child-server.ts'
import { IdleConnection } from '../idle-connection.ts'
import { nodeFor } from '../server-node.ts'
import { MAIN, startTidegate } from '../tidegate-process.ts'
import { KeptRows, NO_ROW, stateOf } from './kept-rows.ts'
import { KillWriter } from './kill-writer.ts'
import { readBeside } from './reading-beside.ts'
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
  /** As `--threads`: with threads as many clients and one more read all the while, each over a connection of its own. Default: 0. */
  readonly threads?: number
  readonly say: (line: string) => void
}

export interface KillLoopResult {
  readonly kills: number
  /** Operations that were acknowledged, by the writers' doors. */
  readonly acknowledged: Readonly<Record<string, number>>
  /** Rows that were read beside the writers. */
  readonly rowsRead: number
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
  const { folder, kills, lifeMsMax, signal = 'SIGKILL', threads = 0, say } = options
  const store = `native:${folder}`
  const start = (): Promise<ChildServer> => startTidegate(store, '--web', 'off', '--threads', String(threads))
  const clients = Object.keys(DOORS).map((name) => {
    const kept = new KeptRows()
    return { name, kept, writer: new KillWriter(name, kept) }
  })
  const setAsideBefore = namesSetAside(folder)
  let startMsMax = 0
  let rowsRead = 0
  let server = await start()
  try {
    await createTable(server)
    for (let life = 1; life <= kills; life++) {
      const lifeMs = LIFE_MS_MIN + Math.random() * lifeMsMax
      rowsRead += await live({ server, clients, ms: lifeMs, signal, threads })
      if (signal === 'SIGKILL' && life % 4 === 0) await killAtStart(store, threads)
      const begin = performance.now()
      server = await start()
      startMsMax = Math.max(startMsMax, Math.round(performance.now() - begin))
      await eachThread(server, threads, async (reader) => {
        for (const client of clients) await checkLast(reader, client)
      })
      if (life % 20 === 0) say(`${life} kills, ${JSON.stringify(acknowledgedBy(clients))}`)
    }
    await eachThread(server, threads, (reader) => checkAll(reader, clients))
    await server.stop()
  } catch (error) {
    await server.stop('SIGKILL')
    throw error
  }
  const setAside = namesSetAside(folder).filter((name) => !setAsideBefore.includes(name))
  const acknowledged = acknowledgedBy(clients)
  return { kills, acknowledged, rowsRead, names: readdirSync(folder), setAside, startMsMax }
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

interface Life {
  readonly server: ChildServer
  readonly clients: readonly Client[]
  readonly ms: number
  readonly signal: 'SIGKILL' | 'SIGTERM'
  readonly threads: number
}

/** A life of the server under all writers, and its end. Resolves to the number of rows that were read meanwhile. */
async function live({ server, clients, ms, signal, threads }: Life): Promise<number> {
  let isDying = false
  let die!: (error: Error) => void
  const dead = new Promise<never>((_, reject) => {
    die = reject
  })
  dead.catch(() => undefined)
  const doors = clients.map(({ name }) => DOORS[name]!(server))
  const writing = clients.map(({ writer }, index) => writer.write(doors[index]!, dead, () => isDying))
  const readers = threads === 0 ? 0 : threads + 1
  const reading = readBeside({ server, clients, readers, dead, isDying: () => isDying })
  const failed = Promise.all([reading, ...writing])
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
  const [rowsRead] = await failed
  for (const door of doors) door.close()
  return rowsRead
}

/** A start that dies in its midst. */
async function killAtStart(store: string, threads: number): Promise<void> {
  const args = ['serve', '--store', store, '--rest', '0', '--thrift', 'off', '--rpc', 'off']
  args.push('--zookeeper', 'off', '--web', 'off', '--threads', String(threads), '--log-level', 'silent')
  const child = spawn(await nodeFor(args), [MAIN, ...args], { stdio: 'ignore' })
  await wait(100 + Math.random() * 400)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

/** Calls `check` with a reader for the main thread and each other one: a server shares out the connections of an address. */
async function eachThread(
  server: ChildServer,
  threads: number,
  check: (reader: RowReader) => Promise<void>,
): Promise<void> {
  const port = server.port('thrift')
  const idle = await IdleConnection.open(port)
  const readers = Array.from({ length: threads + 1 }, () => new RowReader(port))
  try {
    for (const reader of readers) await check(reader)
  } finally {
    for (const reader of readers) reader.close()
    idle.close()
  }
}

/** Checks a writer's changing rows, its last puts and one of the earlier ones. */
async function checkLast(reader: RowReader, { kept, writer }: Client): Promise<void> {
  const { puts } = writer
  const numbers = [puts, puts - 1, puts - 2, Math.floor(Math.random() * puts)].filter((number) => number >= 0)
  const names = [...writer.changing, ...new Set(numbers.map((number) => writer.putRow(number)))]
  const found = await reader.rows(names)
  for (const name of names) {
    const cells = found.get(name)
    kept.found(name, cells === undefined ? NO_ROW : stateOf(cells))
  }
  writer.learn(found)
}

/** Checks every row of the table, and that there are no others. */
async function checkAll(reader: RowReader, clients: readonly Client[]): Promise<void> {
  const seen = new Set<string>()
  for await (const rows of reader.all()) {
    for (const [name, cells] of rows) {
      const client = clients.find((each) => name.startsWith(`${each.name}-`))
      if (client === undefined || seen.has(name)) throw new Error(`row ${name} is there, or there again`)
      client.kept.found(name, stateOf(cells))
      seen.add(name)
    }
  }
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
