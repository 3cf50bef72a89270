/** A proxy that hands on every byte, and keeps the messages. */

import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import type { Writable } from 'node:stream'
import { HandedOn } from './handed-on.ts'
import type { ProtocolName } from './protocol.ts'
import { RecordedConnection, type RecordedLines } from './recorded-connection.ts'
import { headLine } from './tape.ts'

export interface RecorderOptions {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  readonly target: { readonly host: string; readonly port: number }
  /** Takes the lines of the recording. While it is full, nothing more is read of clients and of the server. */
  readonly tape: Writable
  /** A message of more bytes ends the recording of its connection; so do more bytes of requests that wait for answers. */
  readonly messageBytesMax: number
  /** Milliseconds. */
  readonly now: () => number
  /** When the recording begins, as ISO 8601. */
  readonly begun: string
}

export interface Recorder {
  readonly port: number
  /** What has been kept so far. */
  readonly sums: { connections: number; exchanges: number; notes: number }
  /** Ends all connections; their last lines are written before it resolves. */
  close(): Promise<void>
}

/** Resolves once it listens. */
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
    // One recording is of one protocol: the first connection's.
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
