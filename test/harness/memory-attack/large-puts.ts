/** Clients of one door that put large values, each over a connection of its own that it keeps, until all puts are made. */

import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { openRpcStore } from '../rpc-store.ts'
import { checkAnswer, mutateRow, put2 } from '../thrift-frames.ts'

export type PuttingDoor = 'thrift1' | 'thrift2' | 'rpc' | 'rest'
export const PUTTING_DOORS: readonly PuttingDoor[] = ['thrift1', 'thrift2', 'rpc', 'rest']

export interface PutClients {
  readonly door: PuttingDoor
  readonly port: number
  readonly clients: number
  readonly puts: number
  readonly valueBytes: number
}

export interface PutOutcomes {
  puts: number
  /** Calls that the server refused for now. */
  refused: number
  /** Other answers, and connections that ended. */
  readonly failures: string[]
}

interface PutConnection {
  put(row: string, value: string): Promise<void>
  close(): Promise<void>
}

const REFUSED = /no memory|CallQueueTooBig|RegionTooBusy|OVERLOADED|503/

/** Each client makes its part of the puts, and does not repeat a refused one. */
export async function largePuts(table: string, attack: PutClients): Promise<PutOutcomes> {
  const { clients, puts, valueBytes } = attack
  const outcomes: PutOutcomes = { puts: 0, refused: 0, failures: [] }
  const value = 'v'.repeat(valueBytes)
  let begun = 0
  const client = async (number: number): Promise<void> => {
    const connection = await open(table, attack)
    while (begun < puts) {
      begun++
      try {
        await connection.put(`put${number}`, value)
        outcomes.puts++
      } catch (error) {
        const message = String(error)
        if (REFUSED.test(message)) outcomes.refused++
        else outcomes.failures.push(message.slice(0, 300))
      }
    }
    await connection.close()
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  return outcomes
}

async function open(table: string, { door, port }: PutClients): Promise<PutConnection> {
  if (door === 'rpc') return rpcConnection(table, port)
  if (door === 'rest') return restConnection(table, port)
  const thrift = new ThriftConnection(port)
  const frame = (row: string, value: string): Buffer =>
    door === 'thrift1' ? mutateRow(table, row, 'f:q', value) : put2(table, row, 'f', 'q', value)
  return {
    put: async (row, value) => checkAnswer(await thrift.ask(frame(row, value))),
    close: () => thrift.close(),
  }
}

async function rpcConnection(table: string, port: number): Promise<PutConnection> {
  const store = await openRpcStore(port)
  return {
    put: async (row, value) => {
      const batch = new MutationBatch().put(
        Buffer.from(row),
        Buffer.from('f'),
        Buffer.from('q'),
        Buffer.from(value),
      )
      batch.endMutation()
      const [failure] = await store.rows.mutate(table as never, batch, OWN_CALL)
      if (failure !== undefined) throw failure.error
    },
    close: () => store.close(),
  }
}

function restConnection(table: string, port: number): Promise<PutConnection> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const put = (row: string, value: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = { 'Content-Type': 'application/octet-stream', 'Content-Length': value.length }
      const path = `/${table}/${row}/f:q`
      const sent = request({ port, host: '127.0.0.1', agent, method: 'PUT', path, headers }, (answer) => {
        answer.resume()
        answer.once('end', () => {
          if (answer.statusCode === 200) resolve()
          else reject(new Error(`status ${answer.statusCode}`))
        })
      })
      sent.once('error', reject)
      sent.end(value)
    })
  return Promise.resolve({
    put,
    close: () => {
      agent.destroy()
      return Promise.resolve()
    },
  })
}

/** Framed Thrift on one connection, one call at a time. */
class ThriftConnection {
  readonly #socket: Socket
  #bytes: Buffer = Buffer.alloc(0)
  #settle: { readonly resolve: (frame: Buffer) => void; readonly reject: (error: Error) => void } | undefined
  #isClosed = false

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1')
    this.#socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk])
      if (this.#bytes.length < 4 || this.#bytes.length < 4 + this.#bytes.readInt32BE(0)) return
      const frame = this.#bytes
      this.#bytes = Buffer.alloc(0)
      this.#settle?.resolve(frame)
    })
    this.#socket.on('error', () => undefined)
    this.#socket.once('close', () => {
      this.#isClosed = true
      this.#settle?.reject(new Error('the connection was closed'))
    })
  }

  ask(request: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) {
        reject(new Error('the connection was closed'))
        return
      }
      this.#settle = { resolve, reject }
      this.#socket.write(request)
    })
  }

  close(): Promise<void> {
    this.#socket.destroy()
    return Promise.resolve()
  }
}
