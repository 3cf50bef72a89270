/** Requests that may keep the event loop of a server in this process, whose other clients would wait. */

import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { requireShortTurns } from '../harness/fuzz/short-turns.ts'
import { makeTemporaryFolder } from '../harness/tidegate-process.ts'
import { type HostileBytes, RECIPES, recipeOf, requestOf, TABLE } from './turn-recipes.ts'

/** An answer that does not come by then does not come: the client has sent its end. */
const ANSWER_MS = 30_000
const ROWS = 2000

let server: Tidegate | undefined
let folder = ''

export const turns: FuzzTarget = {
  name: 'turns',
  seeds: () => RECIPES.map((recipe) => Buffer.from(recipe)),
  start: async () => {
    folder = makeTemporaryFolder()
    // A budget that the heap of the fuzzer's process has room for.
    server = await startTidegate({ store: `native:${folder}/store`, rpc: 0, memoryMax: '1g' })
    const schema = '{"name":"turns","ColumnSchema":[{"name":"f"}]}'
    await rest(`PUT /${TABLE}/schema`, schema)
    const Row = Array.from({ length: ROWS }, (_, i) => ({
      key: Buffer.from(`r${String(i).padStart(7, '0')}`).toString('base64'),
      Cell: [{ column: Buffer.from('f:q1').toString('base64'), $: 'dg==' }],
    }))
    await rest(`PUT /${TABLE}/x`, JSON.stringify({ Row }))
  },
  run: async (input) => {
    const request = requestOf(recipeOf(input))
    await requireShortTurns(() => exchange(request))
  },
  stop: async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  },
  ms: 600_000,
  // The server keeps what was put.
  kept: { base: 1 << 30, perByte: 0 },
}

async function rest(line: string, body: string): Promise<void> {
  const head = `${line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n`
  const bytes = Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  const answer = await exchange({ door: 'rest', bytes })
  if (!/^HTTP\/1.1 20/.test(answer)) throw new Error(`the server answers ${answer.slice(0, 200)}`)
}

/** Sends the bytes; resolves with the begin of the answer. A scanner that it opens is read once. */
async function exchange({ door, bytes }: HostileBytes): Promise<string> {
  const answer = await exchangeOnce(door, bytes)
  const scanner = /\r\nlocation: https?:\/\/[^/]+(\S+)/i.exec(answer)?.[1]
  if (door !== 'rest' || scanner === undefined || !scanner.includes('/scanner/')) return answer
  const get = `GET ${scanner} HTTP/1.1\r\nhost: x\r\nconnection: close\r\naccept: application/json\r\n\r\n`
  return exchangeOnce(door, Buffer.from(get))
}

function exchangeOnce(door: HostileBytes['door'], bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: server!.ports[door]!, host: '127.0.0.1' })
    let answer = ''
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`no answer after ${ANSWER_MS} ms`))
    }, ANSWER_MS)
    socket.once('connect', () => socket.end(bytes))
    socket.on('data', (chunk: Buffer) => {
      if (answer.length < 1000) answer += chunk.toString('latin1', 0, 1000)
    })
    // The server may hang up while bytes are on their way.
    socket.once('error', () => undefined)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(answer)
    })
  })
}
