/**
 * The few requests of Docker's API by which Testcontainers runs a container, answered by processes in place of containers: so
 * that its modules can be tested where no Docker daemon is. It has one image, `tidegate`, and what it does not know is 501.
 */

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../../src/package-root.ts'
import { type ImageSettings, imageSettings } from '../container/dockerfile.ts'
import { type ContainerRequest, StandInContainer } from './stand-in-container.ts'

const MAIN = fileURLToPath(new URL('dist/src/cli/main.js', packageRoot()))
const IMAGE = /^(?:docker\.io\/(?:library\/)?)?tidegate(?::latest)?$/
const VERSION = '1.44'
const STDOUT = 1

type Answer = (found: RegExpExecArray, request: IncomingMessage, response: ServerResponse) => unknown

/** An answer that is no 200. */
class Refusal {
  readonly status: number
  readonly message: string

  constructor(status: number, message: string) {
    this.status = status
    this.message = message
  }
}

export class FakeDocker {
  readonly #server: Server
  readonly #image: ImageSettings = imageSettings(readFileSync(new URL('Dockerfile', packageRoot()), 'utf8'))
  readonly #containers = new Map<string, StandInContainer>()
  /** Requests that it has refused as unknown: a module of Testcontainers wants something new. */
  readonly unknown: string[] = []

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  static async start(): Promise<FakeDocker> {
    const docker = new FakeDocker()
    await new Promise<void>((resolve) => docker.#server.listen(0, '127.0.0.1', resolve))
    return docker
  }

  /** The value of DOCKER_HOST. */
  get host(): string {
    return `tcp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get containers(): readonly StandInContainer[] {
    return [...this.#containers.values()]
  }

  async stop(): Promise<void> {
    for (const container of this.containers) await container.remove()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  readonly #routes: readonly (readonly [method: string, path: RegExp, answer: Answer])[] = [
    ['GET', /^\/_ping$/, () => 'OK'],
    ['HEAD', /^\/_ping$/, () => 'OK'],
    ['GET', /^\/version$/, () => ({ Version: '28.0.0', ApiVersion: VERSION, MinAPIVersion: '1.24' })],
    ['GET', /^\/info$/, () => INFO],
    ['GET', /^\/images\/json$/, () => [IMAGE_ENTRY]],
    ['GET', /^\/images\/(.+)\/json$/, ([, name]) => inspectedImage(name!)],
    ['POST', /^\/images\/create$/, (_, { url }) => unpulledImage(url!)],
    // Testcontainers for Java tidies up at the end, since no container does it.
    ['POST', /^\/(?:containers|networks|volumes|images)\/prune$/, () => ({})],
    ['GET', /^\/containers\/json$/, () => []],
    ['POST', /^\/containers\/create$/, async (_, request) => this.#create(await bodyOf(request))],
    ['POST', /^\/containers\/(\w+)\/start$/, ([, id]) => this.#with(id!, (each) => each.start())],
    ['GET', /^\/containers\/(\w+)\/json$/, ([, id]) => this.#with(id!, inspected)],
    ['GET', /^\/containers\/(\w+)\/logs$/, ([, id], request, response) => this.#logs(id!, request, response)],
    ['POST', /^\/containers\/(\w+)\/stop$/, ([, id]) => this.#with(id!, (each) => each.end('SIGTERM'))],
    ['POST', /^\/containers\/(\w+)\/kill$/, ([, id]) => this.#with(id!, (each) => each.end('SIGKILL'))],
    ['DELETE', /^\/containers\/(\w+)$/, ([, id]) => this.#with(id!, (each) => this.#remove(each))],
  ]

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(request.url!.replace(/\?.*$/, '')).replace(/^\/v\d+\.\d+(?=\/)/, '')
    for (const [method, pattern, answer] of this.#routes) {
      const found = pattern.exec(path)
      if (found === null || method !== request.method) continue
      try {
        send(response, await answer(found, request, response))
      } catch (error) {
        send(response, new Refusal(500, String(error)))
      }
      return
    }
    this.unknown.push(`${request.method} ${path}`)
    send(response, new Refusal(501, `the stand-in for Docker does not know ${request.method} ${path}`))
  }

  #create(request: ContainerRequest): unknown {
    if (!IMAGE.test(request.Image)) return new Refusal(404, `No such image: ${request.Image}`)
    const id = randomBytes(32).toString('hex')
    this.#containers.set(id, new StandInContainer(id, request, this.#image, MAIN))
    return { Id: id, Warnings: [] }
  }

  async #with(id: string, work: (container: StandInContainer) => unknown): Promise<unknown> {
    const container = this.#containers.get(id)
    return container === undefined ? new Refusal(404, `No such container: ${id}`) : await work(container)
  }

  async #remove(container: StandInContainer): Promise<void> {
    await container.remove()
    this.#containers.delete(container.id)
  }

  /** In the frames of a container without a terminal: the stream, three zeros, the length. */
  #logs(id: string, request: IncomingMessage, response: ServerResponse): unknown {
    return this.#with(id, (container) => {
      const frame = (chunk: Buffer): void => {
        const head = Buffer.alloc(8)
        head[0] = STDOUT
        head.writeUInt32BE(chunk.length, 4)
        response.write(Buffer.concat([head, chunk]))
      }
      response.writeHead(200, { 'Content-Type': 'application/vnd.docker.multiplexed-stream' })
      if (container.log.length > 0) frame(container.log)
      if (!request.url!.includes('follow=true') && !request.url!.includes('follow=1')) response.end()
      else response.once('close', container.follow(frame))
      return response
    })
  }
}

const INFO = {
  ID: 'fake',
  OperatingSystem: 'processes in place of containers',
  OSType: 'linux',
  Architecture: 'x86_64',
  ServerVersion: '28.0.0',
  NCPU: 2,
  MemTotal: 2 ** 32,
  Labels: [],
  Swarm: {},
  RegistryConfig: {},
}

const IMAGE_ENTRY = { Id: 'sha256:0', RepoTags: ['tidegate:latest'], Created: 0, Labels: {} }

function inspectedImage(name: string): unknown {
  if (!IMAGE.test(name)) return new Refusal(404, `No such image: ${name}`)
  return {
    Id: IMAGE_ENTRY.Id,
    RepoTags: IMAGE_ENTRY.RepoTags,
    Os: 'linux',
    Architecture: 'amd64',
    Config: {},
  }
}

/** No registry stands behind this daemon. */
function unpulledImage(url: string): Refusal {
  const name = new URL(url, 'http://docker').searchParams.get('fromImage')
  return new Refusal(404, `pull access denied for ${name}, repository does not exist`)
}

function inspected(container: StandInContainer): unknown {
  const { id, request, isRunning, ports, exitCode } = container
  const now = new Date().toISOString()
  return {
    Id: id,
    Created: now,
    Name: `/${id.slice(0, 12)}`,
    Image: 'sha256:0',
    Platform: 'linux',
    Config: { Hostname: id.slice(0, 12), Image: request.Image, Env: request.Env ?? [], Labels: {} },
    HostConfig: request.HostConfig ?? {},
    State: {
      Status: isRunning ? 'running' : 'exited',
      Running: isRunning,
      ExitCode: isRunning ? 0 : exitCode,
      StartedAt: now,
      FinishedAt: isRunning ? '0001-01-01T00:00:00Z' : now,
    },
    NetworkSettings: { Ports: ports, Networks: {} },
    Mounts: [],
  }
}

function send(response: ServerResponse, answer: unknown): void {
  if (answer === response) return
  const status = answer instanceof Refusal ? answer.status : answer === undefined ? 204 : 200
  const body = answer instanceof Refusal ? { message: answer.message } : answer
  const isText = typeof body === 'string'
  response.writeHead(status, {
    'Api-Version': VERSION,
    'Content-Type': isText ? 'text/plain' : 'application/json',
  })
  response.end(body === undefined ? undefined : isText ? body : JSON.stringify(body))
}

async function bodyOf(request: IncomingMessage): Promise<ContainerRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString()) as ContainerRequest
}
