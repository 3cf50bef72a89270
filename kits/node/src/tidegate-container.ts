/** Tidegate in a container, by Testcontainers. */

import { createServer } from 'node:net'
import {
  AbstractStartedContainer,
  GenericContainer,
  getContainerRuntimeClient,
  type StartedTestContainer,
  Wait,
} from 'testcontainers'
import type { Address, StartedTidegate } from './started-tidegate.ts'
import { type FaultRule, type Seed, TestRequests } from './test-requests.ts'

export type { Address, StartedTidegate } from './started-tidegate.ts'
export type { FaultError, FaultedCall, FaultRule, Seed } from './test-requests.ts'

const REST = 8080
const THRIFT = 9090
const RPC = 16020
const ZOOKEEPER = 2181
const WEB = 16010

/** The image that `docker build -t tidegate .` makes in a checkout of Tidegate. */
const IMAGE = 'tidegate'

/** The tables are in memory, and no client needs to log in. Each option of `tidegate serve` is a variable of the environment. */
export class TidegateContainer extends GenericContainer {
  #seed: Seed = {}

  constructor(image: string = IMAGE) {
    super(image)
    this.withEnvironment({ TIDEGATE_STORE: 'memory', TIDEGATE_TEST_MODE: 'yes', TIDEGATE_INSECURE: 'yes' })
    this.withWaitStrategy(Wait.forHttp('/health/ready', WEB))
  }

  /** The tables that the server has at its start, and after each `reset()`. */
  withSeed(seed: Seed): this {
    this.#seed = seed
    return this
  }

  /**
   * Clients of native RPC go where the server tells them, and it must know that address when it starts. So its port on the host
   * is chosen here, and not by Docker.
   */
  override async start(): Promise<StartedTidegateContainer> {
    const { host } = (await getContainerRuntimeClient()).info.containerRuntime
    const port = await freePort()
    // The ports of an earlier start would be waited for, too.
    this.exposedPorts = []
    this.withExposedPorts(REST, THRIFT, ZOOKEEPER, WEB, { container: RPC, host: port })
    this.withEnvironment({ TIDEGATE_ADVERTISE: `${host}:${port}` })
    const started = new StartedTidegateContainer(await super.start(), this.#seed)
    try {
      await started.reset()
    } catch (error) {
      await started.stop()
      throw error
    }
    return started
  }
}

export class StartedTidegateContainer extends AbstractStartedContainer implements StartedTidegate {
  readonly #requests: TestRequests

  constructor(started: StartedTestContainer, seed: Seed) {
    super(started)
    this.#requests = new TestRequests(this.webUrl, seed)
  }

  get restUrl(): string {
    return this.#urlOf(REST)
  }

  get webUrl(): string {
    return this.#urlOf(WEB)
  }

  get thrift(): Address {
    return this.#addressOf(THRIFT)
  }

  get rpc(): Address {
    return this.#addressOf(RPC)
  }

  get zookeeper(): Address {
    return this.#addressOf(ZOOKEEPER)
  }

  reset(seed?: Seed): Promise<void> {
    return this.#requests.reset(seed)
  }

  fault(...rules: readonly FaultRule[]): Promise<void> {
    return this.#requests.fault(...rules)
  }

  faultsMade(): Promise<readonly number[]> {
    return this.#requests.faultsMade()
  }

  #addressOf(port: number): Address {
    return { host: this.getHost(), port: this.getMappedPort(port) }
  }

  #urlOf(port: number): string {
    return `http://${this.getHost()}:${this.getMappedPort(port)}`
  }
}

/** Another program may take the port before the container does: the start then fails, and says so. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, resolve)
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('the free port has no number')
  return address.port
}
