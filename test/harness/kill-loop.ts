/**
 * Kills a server with SIGKILL again and again, under writers, on one folder, and checks after each start that it has what it
 * acknowledged. Some kills come while it starts.
 */

import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { ChildServer } from './child-server.ts'
import { MAIN, startTidegate } from './tidegate-process.ts'

const WRITERS = 4
const TABLE = 'killed'
/** Large enough for flushes and new logs during a life of seconds. */
const VALUE_BYTES = 2000
const FLUSH_BYTES = 1 << 20
const ROWS_A_CALL = 20
/** Time that a writer waits where its region is too busy, as HBase's clients do: on a slow machine the disk does not keep up. */
const BUSY_WAIT_MS = 20
/** Their names fit in a request's line. */
const ROWS_A_CHECK = 100

export interface KillLoopOptions {
  readonly folder: string
  readonly kills: number
  /** Most milliseconds of a life under load. */
  readonly lifeMsMax: number
  readonly say: (line: string) => void
}

export interface KillLoopResult {
  readonly kills: number
  readonly acknowledged: number
  /** Names in the folder after a clean stop at the end. */
  readonly names: readonly string[]
  /** Files that were set aside since the beginning, below `lost+found`: a kill is no reason for any. */
  readonly setAside: readonly string[]
  /** The longest start, in milliseconds. */
  readonly startMsMax: number
}

/** Throws where an acknowledged row is gone, or has another value. */
export async function killRepeatedly(options: KillLoopOptions): Promise<KillLoopResult> {
  const { folder, kills, lifeMsMax, say } = options
  const store = `native:${folder}`
  /** Rows that are acknowledged, of each writer: 0 to its number. */
  const acknowledged = Array.from({ length: WRITERS }, () => 0)
  const setAsideBefore = namesSetAside(folder)
  let startMsMax = 0
  let server = await startTidegate(store, '--thrift', 'off', '--zookeeper', 'off', '--web', 'off')
  await createTable(server)
  for (let life = 1; life <= kills; life++) {
    const stop = new AbortController()
    const url = urlOf(server)
    const writers = acknowledged.map((_, writer) => write(url, writer, acknowledged, stop.signal))
    await wait(Math.random() * lifeMsMax)
    await server.stop('SIGKILL')
    stop.abort()
    await Promise.all(writers)
    if (life % 4 === 0) await killAtStart(store)
    const begin = Date.now()
    server = await startTidegate(store, '--thrift', 'off', '--zookeeper', 'off', '--web', 'off')
    startMsMax = Math.max(startMsMax, Date.now() - begin)
    await checkLast(urlOf(server), acknowledged)
    if (life % 20 === 0) say(`${life} kills, ${sum(acknowledged)} rows`)
  }
  await checkAll(urlOf(server), acknowledged)
  await server.stop()
  const setAside = namesSetAside(folder).filter((name) => !setAsideBefore.includes(name))
  return { kills, acknowledged: sum(acknowledged), names: readdirSync(folder), setAside, startMsMax }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function urlOf(server: ChildServer): string {
  return `http://127.0.0.1:${server.port('rest')}/${TABLE}`
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function createTable(server: ChildServer): Promise<void> {
  const schema = { name: TABLE, MEMSTORE_FLUSHSIZE: String(FLUSH_BYTES), ColumnSchema: [{ name: 'f' }] }
  const response = await fetch(`${urlOf(server)}/schema`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(schema),
  })
  if (!response.ok) throw new Error(`no table: ${response.status} ${await response.text()}`)
}

function rowName(writer: number, number: number): string {
  return `w${writer}-${String(number).padStart(8, '0')}`
}

function valueOf(writer: number, number: number): string {
  return `${rowName(writer, number)} `.padEnd(VALUE_BYTES, 'x')
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** Puts rows in order until the server dies. */
async function write(
  url: string,
  writer: number,
  acknowledged: number[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const first = acknowledged[writer]!
    const Row = Array.from({ length: ROWS_A_CALL }, (_, index) => ({
      key: base64(rowName(writer, first + index)),
      Cell: [{ column: base64('f:q'), $: base64(valueOf(writer, first + index)) }],
    }))
    try {
      const response = await fetch(`${url}/false-row`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ Row }),
        signal,
      })
      const answer = await response.text()
      if (response.status === 503 && answer.includes('RegionTooBusyException')) {
        await wait(BUSY_WAIT_MS)
        continue
      }
      if (!response.ok) throw new Error(`a put failed: ${response.status} ${answer}`)
    } catch (error) {
      if (error instanceof TypeError || signal.aborted) return
      throw error
    }
    acknowledged[writer] = first + ROWS_A_CALL
  }
}

/** A start that dies in its midst. */
async function killAtStart(store: string): Promise<void> {
  const doors = ['--rest', '0', '--thrift', 'off', '--zookeeper', 'off', '--web', 'off']
  const args = [MAIN, 'serve', '--store', store, ...doors]
  const child = spawn(process.execPath, [...args, '--log-level', 'silent'], { stdio: 'ignore' })
  await wait(100 + Math.random() * 400)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

/** Throws where one of a writer's rows is gone, or has another value. */
async function checkRows(url: string, writer: number, numbers: readonly number[]): Promise<void> {
  const query = numbers.map((number) => `row=${rowName(writer, number)}`).join('&')
  const response = await fetch(`${url}/multiget/f:q?${query}`, {
    headers: { accept: 'application/json;cells=text' },
  })
  const text = await response.text()
  // A multiget that finds no row at all is a 404.
  const rows = response.status === 404 ? [] : (JSON.parse(text) as TextRows).rows
  const values = new Map(rows.map(({ key, cells }) => [key, cells[0]?.value]))
  for (const number of numbers) {
    const row = rowName(writer, number)
    const value = values.get(row)
    if (value === valueOf(writer, number)) continue
    throw new Error(`LOST: row ${row} was acknowledged: ${response.status} ${value?.slice(0, 60)}`)
  }
}

interface TextRows {
  readonly rows: readonly { readonly key: string; readonly cells: readonly { readonly value: string }[] }[]
}

/** The last rows of each writer, and one of the earlier ones. */
async function checkLast(url: string, acknowledged: readonly number[]): Promise<void> {
  for (const [writer, count] of acknowledged.entries()) {
    if (count === 0) continue
    const first = Math.max(0, count - ROWS_A_CALL)
    await checkRows(url, writer, [...numbersFrom(first, count), Math.floor(Math.random() * count)])
  }
}

async function checkAll(url: string, acknowledged: readonly number[]): Promise<void> {
  for (const [writer, count] of acknowledged.entries())
    for (let first = 0; first < count; first += ROWS_A_CHECK)
      await checkRows(url, writer, numbersFrom(first, Math.min(count, first + ROWS_A_CHECK)))
}

function numbersFrom(first: number, end: number): number[] {
  return Array.from({ length: end - first }, (_, index) => first + index)
}

function namesSetAside(folder: string): string[] {
  const place = `${folder}/lost+found`
  if (!existsSync(place)) return []
  const found = readdirSync(place, { recursive: true, withFileTypes: true })
  return found
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(place.length + 1))
}
