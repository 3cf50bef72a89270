import type { FaultRule, Seed } from './test-requests.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

/** A server that tests use: in a container, in a process, or one that runs already. */
export interface StartedTidegate {
  /** `http://HOST:PORT`, without a slash at its end. */
  readonly restUrl: string
  /** Console, /health and /metrics. */
  readonly webUrl: string
  /** Thrift 1 and Thrift 2, every transport and protocol. */
  readonly thrift: Address
  /** Native RPC: `hbase.client.bootstrap.servers`. */
  readonly rpc: Address
  /** `hbase.zookeeper.quorum` and `hbase.zookeeper.property.clientPort`. */
  readonly zookeeper: Address
  /** Drops all tables, ends all faults, and makes the tables of this seed, or of the one given before the start. */
  reset(seed?: Seed): Promise<void>
  /** From now on the server has these rules and no others. */
  fault(...rules: readonly FaultRule[]): Promise<void>
  /** Faults that each rule has made, in the order of the rules. */
  faultsMade(): Promise<readonly number[]>
}
