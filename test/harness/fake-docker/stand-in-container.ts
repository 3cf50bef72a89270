/**
 * A process of this machine that stands in for a container of Tidegate's image: it has the image's variables and those of the
 * container, listens on the loopback, and keeps its volume in a temporary folder. Where the image's ports are published is told
 * from the ports that it has really taken.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImageSettings } from '../container/dockerfile.ts'
import { own } from '../processes/owned-children.ts'

/** The doors in the order in which the Dockerfile exposes their ports. */
const DOORS = ['rest', 'thrift', 'rpc', 'master', 'zookeeper', 'web'] as const

/** What Docker's API is told of a container before its start, as far as it counts here. */
export interface ContainerRequest {
  readonly Image: string
  readonly Env?: readonly string[] | null
  readonly Cmd?: readonly string[] | null
  readonly HostConfig?: {
    readonly PortBindings?: Readonly<Record<string, readonly { readonly HostPort?: string }[] | null>> | null
  }
}

export type PublishedPorts = Readonly<
  Record<string, readonly { readonly HostIp: string; readonly HostPort: string }[]>
>

export class StandInContainer {
  readonly id: string
  readonly request: ContainerRequest
  readonly #image: ImageSettings
  readonly #main: string
  readonly #folder: string = mkdtempSync(join(tmpdir(), 'tidegate-stand-in-'))
  readonly #listeners = new Set<(chunk: Buffer) => void>()
  #child: ChildProcess | undefined
  #log: Buffer = Buffer.alloc(0)
  #ports: PublishedPorts = {}

  /** `main`: the built command. */
  constructor(id: string, request: ContainerRequest, image: ImageSettings, main: string) {
    this.id = id
    this.request = request
    this.#image = image
    this.#main = main
  }

  get isRunning(): boolean {
    const child = this.#child
    return child !== undefined && child.exitCode === null && child.signalCode === null
  }

  get exitCode(): number {
    return this.#child?.exitCode ?? (this.#child?.signalCode === null ? 0 : 137)
  }

  /** Of a running container; none of one that has ended, as with Docker. */
  get ports(): PublishedPorts {
    return this.isRunning ? this.#ports : {}
  }

  get log(): Buffer {
    return this.#log
  }

  /** `listener`: called with what the process prints from now on. Returns what ends that. */
  follow(listener: (chunk: Buffer) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Resolves when the process listens, or has ended: the ports are known then. */
  async start(): Promise<void> {
    const [, ...entry] = this.#image.entrypoint
    const given = this.request.Cmd ?? []
    const args = [this.#main, ...entry, ...(given.length === 0 ? this.#image.command : given)]
    const child = spawn(process.execPath, args, {
      cwd: this.#folder,
      env: { PATH: process.env['PATH'], ...this.#environment() },
    })
    this.#child = child
    own(child, () => rmSync(this.#folder, { recursive: true, force: true }))
    await new Promise<void>((resolve, reject) => {
      const note = (chunk: Buffer): void => {
        this.#log = Buffer.concat([this.#log, chunk])
        for (const listener of this.#listeners) listener(chunk)
        const ready = /^ready .*$/m.exec(this.#log.toString())
        if (ready === null) return
        this.#ports = publishedPorts(this.#image.ports, ready[0])
        resolve()
      }
      child.stdout.on('data', note)
      child.stderr.on('data', note)
      child.once('error', reject)
      child.once('close', () => resolve())
    })
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (!this.isRunning) return
    const child = this.#child!
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill(signal)
    await ended
  }

  async remove(): Promise<void> {
    await this.end('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #environment(): Readonly<Record<string, string>> {
    const given = (this.request.Env ?? []).map((line): [string, string] => {
      const at = line.indexOf('=')
      return [line.slice(0, at), line.slice(at + 1)]
    })
    const stated = { ...this.#image.environment, ...Object.fromEntries(given) }
    const moved = Object.entries(stated).map(([name, value]): [string, string] => [
      name,
      value.replace('/data', this.#folder),
    ])
    const doors = DOORS.map((door, i): [string, string] => [
      `TIDEGATE_${door.toUpperCase()}`,
      this.#wantedPort(this.#image.ports[i]!),
    ])
    return Object.fromEntries([...moved, ...doors, ['TIDEGATE_HOST', '127.0.0.1']])
  }

  #wantedPort(port: number): string {
    const bound = this.request.HostConfig?.PortBindings?.[`${port}/tcp`]?.[0]?.HostPort
    return bound === undefined || bound === '' ? '0' : bound
  }
}

function publishedPorts(exposed: readonly number[], readyLine: string): PublishedPorts {
  const found = new Map([...readyLine.matchAll(/(\w+)=\S+:(\d+)/g)].map(([, door, port]) => [door, port!]))
  const published = DOORS.flatMap((door, i) => {
    const port = found.get(door)
    return port === undefined ? [] : [[`${exposed[i]}/tcp`, [{ HostIp: '0.0.0.0', HostPort: port }]] as const]
  })
  return Object.fromEntries(published)
}
