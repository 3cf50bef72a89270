/**
 * Reports the state of the server to systemd (sd_notify) where NOTIFY_SOCKET asks for it. Node has no datagram sockets of Unix, so that
 * systemd's own command sends each message: a process of a few milliseconds. The unit needs NotifyAccess=all.
 */

import { spawn } from 'node:child_process'
import type { Logger } from 'pino'

const COMMAND = 'systemd-notify'
const MICROSECONDS = 1000
/** How long a start may go on, from each message on: beyond TimeoutStartSec= of the unit, while the log is replayed. */
const EXTENSION_MS = 60_000
/** Usual starts have ended by then, and need no message. */
const EXTEND_EVERY_MS = 15_000

type Environment = Readonly<Record<string, string | undefined>>

export class ServiceManager {
  readonly #isAsked: boolean
  readonly #watchdogMs: number | undefined
  readonly #logger: Logger
  readonly #extendEveryMs: number
  #timer: NodeJS.Timeout | undefined
  #hasFailed = false

  /** `extendEveryMs`: for tests. */
  constructor(logger: Logger, env: Environment = process.env, extendEveryMs: number = EXTEND_EVERY_MS) {
    this.#extendEveryMs = extendEveryMs
    this.#logger = logger
    this.#isAsked = (env['NOTIFY_SOCKET'] ?? '') !== ''
    this.#watchdogMs = watchdogMs(env)
  }

  /** The start goes on for as long as the event loop turns: a long replay is no failed start. */
  starting(): void {
    if (!this.#isAsked) return
    const extend = (): void => this.#notify(`EXTEND_TIMEOUT_USEC=${EXTENSION_MS * MICROSECONDS}`)
    this.#timer = setInterval(extend, this.#extendEveryMs).unref()
  }

  /** All doors listen. From now on the watchdog hears that the event loop turns, where the unit has WatchdogSec=. */
  ready(): void {
    clearInterval(this.#timer)
    this.#notify('READY=1')
    if (!this.#isAsked || this.#watchdogMs === undefined) return
    // Half of the time, as systemd recommends.
    this.#timer = setInterval(() => this.#notify('WATCHDOG=1'), this.#watchdogMs / 2).unref()
  }

  stopping(): void {
    clearInterval(this.#timer)
    this.#notify('STOPPING=1')
  }

  #notify(message: string): void {
    if (!this.#isAsked || this.#hasFailed) return
    const child = spawn(COMMAND, [message], { stdio: 'ignore' })
    child.once('error', (error) => this.#fail(error.message))
    child.once('exit', (code) => {
      if (code !== 0 && code !== null) this.#fail(`it ended with code ${code}`)
    })
    child.unref()
  }

  #fail(reason: string): void {
    if (this.#hasFailed) return
    this.#hasFailed = true
    clearInterval(this.#timer)
    this.#logger.warn(
      `NOTIFY_SOCKET is set, but ${COMMAND} does not work (${reason}): use Type=exec in the unit, and /health/ready, as docs/command-line.md says`,
    )
  }
}

/** Undefined where systemd does not watch this process. */
function watchdogMs(env: Environment): number | undefined {
  const pid = env['WATCHDOG_PID']
  const ms = Number(env['WATCHDOG_USEC']) / MICROSECONDS
  return ms > 0 && (pid === undefined || Number(pid) === process.pid) ? ms : undefined
}
