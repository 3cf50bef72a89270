/** The region servers of a peer that get its changes: some of all, at random. HBase: HBaseReplicationEndpoint, its sinks. */

import type { ServerAddress } from '../config/cluster-address.ts'
import { addressText } from '../config/cluster-address.ts'

/** HBase: replication.bad.sink.threshold. */
const FAULTS_MAX = 3

export interface SinksParts {
  /** The addresses of all live region servers. */
  readonly servers: () => Promise<readonly ServerAddress[]>
  /** The part of them that is chosen, from 0 to 1. HBase: replication.source.ratio. */
  readonly ratio: number
  readonly random: () => number
}

export class Sinks {
  readonly #parts: SinksParts
  #chosen: readonly ServerAddress[] = []
  readonly #faults = new Map<string, number>()

  constructor(parts: SinksParts) {
    this.#parts = parts
  }

  /** One of the chosen servers; undefined: the cluster has none. */
  async next(): Promise<ServerAddress | undefined> {
    if (this.#chosen.length === 0) await this.#choose()
    return this.#chosen[Math.floor(this.#parts.random() * this.#chosen.length)]
  }

  answered(server: ServerAddress): void {
    this.#faults.delete(addressText(server))
  }

  /** After three faults of one server without an answer between, it is not asked any more; servers are chosen anew where none is left. */
  failed(server: ServerAddress): void {
    const key = addressText(server)
    const faults = (this.#faults.get(key) ?? 0) + 1
    this.#faults.set(key, faults)
    if (faults < FAULTS_MAX) return
    this.#faults.delete(key)
    this.#chosen = this.#chosen.filter((each) => addressText(each) !== key)
  }

  async #choose(): Promise<void> {
    const { servers, ratio, random } = this.#parts
    const left = [...(await servers())]
    const count = Math.ceil(left.length * ratio)
    const chosen: ServerAddress[] = []
    while (chosen.length < count) chosen.push(...left.splice(Math.floor(random() * left.length), 1))
    this.#chosen = chosen
    this.#faults.clear()
  }
}

/** Of the names `host,port,startCode` in a peer's ZooKeeper, which may be anything; those of no server are left out. */
export function sinkAddresses(names: readonly string[]): ServerAddress[] {
  return names.flatMap((name) => {
    const [host = '', text] = name.split(',')
    const port = Number(text)
    return host !== '' && Number.isInteger(port) && port > 0 && port < 65_536 ? { host, port } : []
  })
}
