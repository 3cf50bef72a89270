import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A server in a process of its own, so that it and the generator have a core each. */
export class ChildServer {
  readonly readyLine: string
  readonly #process: ChildProcess

  private constructor(process: ChildProcess, readyLine: string) {
    this.#process = process
    this.readyLine = readyLine
  }

  /** Resolves when the script has printed its ready line. */
  static async start(script: string, args: readonly string[]): Promise<ChildServer> {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    const line = await new Promise<string>((resolve, reject) => {
      let text = ''
      child.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        const ready = /^ready .*$/m.exec(text)
        if (ready !== null) resolve(ready[0])
      })
      child.once('error', reject)
      child.once('exit', (code) => reject(new Error(`${script} ended with code ${code} before it was ready`)))
    })
    return new ChildServer(child, line)
  }

  /** The port behind `name=` in the ready line. */
  port(name: string): number {
    const match = new RegExp(`\\b${name}=(?:[^ ]*:)?(\\d+)`).exec(this.readyLine)
    if (match === null) throw new Error(`no ${name} in: ${this.readyLine}`)
    return Number(match[1])
  }

  /** Seconds of processor time that it has used, user and system; NaN where /proc does not tell. */
  cpuSeconds(): number {
    try {
      const stat = readFileSync(`/proc/${this.#process.pid}/stat`, 'latin1')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return (Number(fields[11]) + Number(fields[12])) / 100
    } catch {
      return Number.NaN
    }
  }

  /** Resident bytes; NaN where /proc does not tell. */
  residentBytes(): number {
    try {
      const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.#process.pid}/status`, 'latin1'))
      return Number(match?.[1]) * 1024
    } catch {
      return Number.NaN
    }
  }

  /** Resolves to the exit code; null where a signal ended it. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.#process
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill(signal)
      await ended
    }
    return child.exitCode
  }
}
