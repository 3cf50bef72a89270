/** A ZooKeeper door over a memory store, and a client of the bare protocol for it. */

import { connect, type Socket } from 'node:net'
import { pino } from 'pino'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { startZooKeeperDoor, type ZooKeeperDoorOptions } from '../../../src/doors/zookeeper/zookeeper-door.ts'
import { type AdvertisedStore, advertised } from '../../../src/gateway/catalog/advertised.ts'
import { withSystemTables } from '../../../src/gateway/catalog/system-tables/system-tables.ts'
import type { Door } from '../../../src/gateway/door.ts'
import type { Guard } from '../../../src/gateway/identity/guard/guard.ts'
import { DEFAULT_LIMITS, type Limits } from '../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import type { Store } from '../../../src/store/store.ts'
import { OP_CODE, SPECIAL_XID } from '../../../src/wire/zookeeper/codes.ts'
import { encodeFrame, FrameCutter, type FramePart, part } from '../../../src/wire/zookeeper/frames.ts'
import { JuteReader } from '../../../src/wire/zookeeper/jute-reader.ts'
import {
  CONNECT_REQUEST,
  CONNECT_RESPONSE,
  type ConnectRequest,
  type ConnectResponse,
  PATH_REQUEST,
  REPLY_HEADER,
  REQUEST_HEADER,
  WATCHER_EVENT,
} from '../../../src/wire/zookeeper/records.ts'

export interface ZooKeeperServer {
  readonly store: AdvertisedStore
  readonly door: Door
  readonly memory: MemoryBudget
  /** Messages of level `warn` and above. */
  readonly logged: readonly string[]
  stop(): Promise<void>
}

export interface ServerOptions extends Partial<ZooKeeperDoorOptions> {
  readonly limits?: Partial<Limits>
  readonly memory?: MemoryBudget
  readonly guard?: Guard
  /** Puts something between the door and the memory store. */
  readonly over?: (store: Store) => Store
}

export const SERVER = { host: 'region.example', port: 16020, startCode: 1_700_000_000_000 }

export async function startServer(options: ServerOptions = {}): Promise<ZooKeeperServer> {
  const { limits, memory = new MemoryBudget(), guard, over = (store) => store, ...rest } = options
  const opened = openMemoryStore({ clock: { now: Date.now } })
  const server = { ...SERVER }
  const store = withSystemTables(advertised(over(opened), server), server)
  const logged: string[] = []
  const logger = pino(
    { level: 'warn' },
    { write: (line: string) => logged.push((JSON.parse(line) as { msg: string }).msg) },
  )
  const door = await startZooKeeperDoor(
    { store, server, limits: { ...DEFAULT_LIMITS, ...limits }, memory, guard, logger },
    { host: '127.0.0.1', port: 0 },
    { znodeParent: '/hbase', infoPort: () => 16010, version: '1.2.3', ...rest },
  )
  const stop = async (): Promise<void> => {
    await door.close()
    await opened.close()
  }
  return { store, door, memory, logged, stop }
}

export interface Answer {
  readonly xid: number
  readonly zxid: bigint
  readonly err: number
  readonly reader: JuteReader
}

export interface Event {
  readonly type: number
  readonly state: number
  readonly path: string
}

const NEW_SESSION: ConnectRequest = {
  protocolVersion: 0,
  lastZxidSeen: 0n,
  timeOut: 10_000,
  sessionId: 0n,
  passwd: Buffer.alloc(16),
  readOnly: false,
}

/** A client that sends given frames, and separates events from answers. */
export class RawClient {
  readonly socket: Socket
  readonly #frames = new FrameCutter()
  readonly #answers: Buffer[] = []
  readonly #events: Event[] = []
  #changed: (() => void)[] = []
  #isClosed = false
  #xid = 0

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.socket.on('data', (chunk) => {
      for (const frame of this.#frames.push(chunk)) this.#take(frame)
      this.#wake()
    })
    this.socket.on('error', () => undefined)
    this.socket.on('close', () => {
      this.#isClosed = true
      this.#wake()
    })
  }

  static async connected(port: number, request: Partial<ConnectRequest> = {}): Promise<RawClient> {
    const client = new RawClient(port)
    await client.handshake(request)
    return client
  }

  async handshake(request: Partial<ConnectRequest> = {}): Promise<ConnectResponse> {
    this.socket.write(encodeFrame(part(CONNECT_REQUEST, { ...NEW_SESSION, ...request })))
    return CONNECT_RESPONSE.read(new JuteReader(await this.#next()))
  }

  send(type: number, parts: readonly FramePart[], xid?: number): void {
    this.socket.write(encodeFrame(part(REQUEST_HEADER, { xid: xid ?? ++this.#xid, type }), ...parts))
  }

  async ask(type: number, ...parts: readonly FramePart[]): Promise<Answer> {
    this.send(type, parts)
    return this.answer()
  }

  askPath(type: number, path: string, watch = false): Promise<Answer> {
    return this.ask(type, part(PATH_REQUEST, { path, watch }))
  }

  async answer(): Promise<Answer> {
    const reader = new JuteReader(await this.#next())
    return { ...REPLY_HEADER.read(reader), reader }
  }

  /** Waits for the next event. */
  async event(): Promise<Event> {
    while (this.#events.length === 0) await this.#change()
    return this.#events.shift()!
  }

  /** The events so far: everything that the server has sent before it answers a ping. */
  async events(): Promise<Event[]> {
    this.send(OP_CODE.ping, [], SPECIAL_XID.ping)
    await this.answer()
    return this.#events.splice(0)
  }

  async closed(): Promise<void> {
    while (!this.#isClosed) await this.#change()
  }

  close(): void {
    this.socket.destroy()
  }

  async #next(): Promise<Buffer> {
    while (this.#answers.length === 0) await this.#change()
    return this.#answers.shift()!
  }

  /** Throws where the connection has ended. */
  async #change(): Promise<void> {
    if (this.#isClosed) throw new Error('the server has closed the connection')
    await new Promise<void>((resolve) => this.#changed.push(resolve))
  }

  #wake(): void {
    for (const changed of this.#changed.splice(0)) changed()
  }

  #take(frame: Buffer): void {
    const isEvent = frame.length >= 16 && frame.readInt32BE(0) === SPECIAL_XID.watcherEvent
    if (isEvent) this.#events.push(WATCHER_EVENT.read(new JuteReader(frame.subarray(16))))
    else this.#answers.push(frame)
  }
}
