/**
 * Workers as processes of Node's cluster: the parent takes the connections and gives each worker one after the other, so that
 * they are shared out evenly where there are few, too.
 */

import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { threadProgram } from '../../gateway/requests/decoding/thread-program.ts'
import { SocketsFolder } from '../../gateway/siblings/sockets-folder.ts'
import { UsageError } from '../failures/usage-error.ts'
import { type FromWorker, PLACE_VARIABLE, type WorkerPlace } from './messages.ts'
import type { NewWorker, WorkerEvents, WorkerProcess } from './supervisor.ts'

export class WorkerProcesses {
  readonly #sockets: SocketsFolder = new SocketsFolder()
  readonly #startedAt: number = Date.now()
  readonly #cookieSecret: string = this.#sockets.addCookieSecret()
  #ports: Readonly<Record<string, number>> | undefined

  /** Throws UsageError. */
  constructor() {
    if (!cluster.isPrimary) {
      throw new UsageError(
        '--processes: this process is a worker of a cluster of Node itself: let Tidegate start its own.',
      )
    }
    cluster.schedulingPolicy = cluster.SCHED_RR
    cluster.setupPrimary({
      exec: fileURLToPath(threadProgram('../main', import.meta.url)),
      args: process.argv.slice(2),
      serialization: 'advanced',
      windowsHide: true,
    })
  }

  /** The ports that were chosen: workers get no others, whichever of them live. */
  keepPorts(ports: Readonly<Record<string, number>>): void {
    this.#ports = ports
  }

  spawn({ number, slot, asksForPorts }: NewWorker, events: WorkerEvents): WorkerProcess {
    const place: WorkerPlace = {
      number,
      slot,
      startedAt: this.#startedAt,
      folder: this.#sockets.path,
      cookieSecret: this.#cookieSecret,
      ports: asksForPorts ? this.#ports : undefined,
    }
    const worker = cluster.fork({ [PLACE_VARIABLE]: JSON.stringify(place) })
    let hasEnded = false
    const ended = (code: number | null, signal: string | null): void => {
      if (hasEnded) return
      hasEnded = true
      events.ended(code, signal)
    }
    worker.on('message', (message: FromWorker) => events.message(message))
    worker.on('exit', ended)
    worker.on('error', () => {
      // A process that could not be made has no exit, and one that is ending takes no message.
      if (worker.process.pid === undefined) ended(null, 'an error of the system')
    })
    return {
      pid: worker.process.pid,
      send: (message) => {
        if (worker.isConnected()) worker.send(message)
      },
      kill: () => void worker.process.kill('SIGKILL'),
    }
  }
}
