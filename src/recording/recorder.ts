/** A proxy that hands on every byte, and records the messages. */

import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import type { Writable } from 'node:stream'
import { HandedOn } from './handed-on.ts'
import type { ProtocolName } from './protocol.ts'
import { RecordedConnection, type RecordedLines } from './recorded-connection.ts'
import { headLine } from './tape.ts'

export interface RecorderOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly target: { readonly host: string; readonly port: number }
  /** Takes the lines of the recording. While it is full, the recorder reads nothing from clients and from the server. */
  readonly tape: Writable
  /** The most bytes of a message, and of requests that wait for answers. More bytes end the recording of their connection. */
  readonly messageBytesMax: number
  /** The time in milliseconds, from any origin. */
  readonly now: () => number
  /** The time at which the recording begins, as ISO 8601. */
  readonly begun: string
}

export interface Recorder {
  readonly port: number
  /** The numbers of recorded items so far. */
  readonly sums: { connections: number; exchanges: number; notes: number }
  /** Ends all connections. Resolves once their last lines are written. */
  close(): Promise<void>
}

/** Starts the proxy. Resolves once it listens. */
export async function startRecorder(options: RecorderOptions): Promise<Recorder> {
  const { tape, target, messageBytesMax } = options
  const sums = { connections: 0, exchanges: 0, notes: 0 }
  const lines = linesOf(options, sums)
  const open = new Set<HandedOn>()
  const server: Server = createServer({ allowHalfOpen: true }, (client) => {
    const toTarget = connect({ ...target, allowHalfOpen: true })
    const recorded = new RecordedConnection(++sums.connections, lines, messageBytesMax)
    const handedOn = new HandedOn(client, toTarget, recorded)
    open.add(handedOn)
    toTarget.once('close', () => {
      if (client.destroyed) open.delete(handedOn)
    })
    client.once('close', () => {
      if (toTarget.destroyed) open.delete(handedOn)
    })
  })
  const goOn = (): void => {
    for (const each of open) each.goOn()
  }
  tape.on('drain', goOn)
  const close = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    for (const each of open) each.destroy()
    await closed
    tape.off('drain', goOn)
  }
  let closing: Promise<void> | undefined
  server.listen(options.port, options.host)
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    sums,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

function linesOf(options: RecorderOptions, sums: Recorder['sums']): RecordedLines {
  const { tape, target, begun, now } = options
  const begunAt = now()
  let protocol: ProtocolName | undefined
  return {
    now: () => Math.round((now() - begunAt) * 1000) / 1000,
    // A recording has one protocol: that of the first connection.
    takes: (wire) => {
      if (protocol === undefined) {
        protocol = wire.name
        tape.write(headLine({ protocol, server: `${target.host}:${target.port}`, begun }))
      }
      return protocol === wire.name
    },
    line: (kind, line) => {
      if (protocol === undefined) return
      if (kind !== 'start') sums[kind]++
      tape.write(line)
    },
    get isBehind() {
      return tape.writableNeedDrain
    },
  }
}
