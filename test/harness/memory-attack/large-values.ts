/** Clients that put and get large values, each as fast as it is answered: a small part of what they do is enough to fill a server's memory. */

import { connect } from 'node:net'
import { checkAnswer, getRow, mutateRow } from '../thrift-frames.ts'

export interface ValueClients {
  readonly putters: number
  readonly getters: number
  readonly valueBytes: number
  readonly durationMs: number
}

export interface ValueOutcomes {
  puts: number
  gets: number
  /** Calls that the server refused for now: the client asks again. */
  refused: number
  /** Connections that ended without an answer, answers that are no exception, and writes that are not there. */
  readonly failures: string[]
}

const REFUSED = /no memory|CallQueueTooBig|RegionTooBusy|OVERLOADED/

/** Each putter writes a row of its own, and each getter reads one of them. What was acknowledged must be there afterwards. */
export async function largeValues(
  port: number,
  table: string,
  clients: ValueClients,
): Promise<ValueOutcomes> {
  const { putters, getters, valueBytes, durationMs } = clients
  const outcomes: ValueOutcomes = { puts: 0, gets: 0, refused: 0, failures: [] }
  const end = performance.now() + durationMs
  /** By row the bytes that its value may have: the last that was acknowledged, and those of puts after it. */
  const possible = new Map<string, Set<string>>()
  const ask = (request: Buffer): Promise<Buffer | undefined> => askOne(port, request, outcomes)
  const put = async (client: number): Promise<void> => {
    const row = `value${client}`
    for (let turn = 0; performance.now() < end; turn++) {
      const letter = String.fromCharCode(97 + (turn % 26))
      possible.get(row)?.add(letter)
      if ((await ask(mutateRow(table, row, 'f:q', letter.repeat(valueBytes)))) === undefined) continue
      outcomes.puts++
      possible.set(row, new Set([letter]))
    }
  }
  const get = async (client: number): Promise<void> => {
    while (performance.now() < end)
      if ((await ask(getRow(table, `value${client % putters}`))) !== undefined) outcomes.gets++
  }
  await Promise.all([
    ...Array.from({ length: putters }, (_, client) => put(client)),
    ...Array.from({ length: getters }, (_, client) => get(client)),
  ])
  for (const [row, letters] of possible) {
    const answer = await ask(getRow(table, row))
    const isThere = answer !== undefined && [...letters].some((letter) => answer.includes(letter.repeat(64)))
    if (!isThere) outcomes.failures.push(`${row}: what was acknowledged was not found`)
  }
  return outcomes
}

/** Resolves to undefined where the answer is an exception, or there is none: the outcomes say which. */
export async function askOne(
  port: number,
  request: Buffer,
  outcomes: Pick<ValueOutcomes, 'refused' | 'failures'>,
): Promise<Buffer | undefined> {
  try {
    const answer = await exchange(port, request)
    checkAnswer(answer)
    return answer
  } catch (error) {
    const message = String(error)
    if (REFUSED.test(message)) outcomes.refused++
    else outcomes.failures.push(message.slice(0, 300))
    return undefined
  }
}

/** Resolves to the answer to one request on a connection of its own. */
function exchange(port: number, request: Buffer): Promise<Buffer> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  let bytes = 0
  let due = Number.POSITIVE_INFINITY
  return new Promise((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (due === Number.POSITIVE_INFINITY && bytes >= 4) due = 4 + Buffer.concat(chunks).readInt32BE(0)
      if (bytes < due) return
      resolve(Buffer.concat(chunks))
      socket.destroy()
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the connection was closed before the answer was whole')))
    socket.write(request)
  })
}
