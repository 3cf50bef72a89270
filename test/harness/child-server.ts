import { type ChildProcess, spawn } from 'node:child_process'
import { cpuSeconds, residentBytes } from './process-usage.ts'
import { own } from './processes/owned-children.ts'
import { nodeFor } from './server-node.ts'

interface ChildLimits {
  /** Of the control group in which the process begins. */
  readonly processesFile?: string
  /** Its limit of open files. */
  readonly openFilesMax?: number
  /** More variables of the process. */
  readonly environment?: Readonly<Record<string, string>>
}

interface ProgramOptions {
  /** The descriptor of a file for its standard error. */
  readonly log?: number | 'inherit'
  readonly environment: NodeJS.ProcessEnv
}

/** A server in a process of its own, so that it and the generator have a core each. */
export class ChildServer {
  readonly readyLine: string
  readonly #process: ChildProcess

  private constructor(process: ChildProcess, readyLine: string) {
    this.#process = process
    this.readyLine = readyLine
  }

  /**
   * Resolves when the script has printed its ready line. `log`: the descriptor of a file for its standard error. A server with threads
   * runs on a Node that can have them.
   */
  static async start(
    script: string,
    args: readonly string[],
    log: number | 'inherit' = 'inherit',
    { processesFile, openFilesMax, environment }: ChildLimits = {},
  ): Promise<ChildServer> {
    const command = [await nodeFor(args), script, ...args]
    const limited =
      openFilesMax === undefined
        ? command
        : ['sh', '-c', `ulimit -n ${openFilesMax}; exec "$@"`, 'sh', ...command]
    const [program, ...rest] = processesFile === undefined ? limited : inGroup(processesFile, limited)
    return ChildServer.startProgram(program!, rest, { log, environment: { ...process.env, ...environment } })
  }

  /** As `start`, of any program; with this environment alone. */
  static async startProgram(
    program: string,
    args: readonly string[],
    { log = 'inherit', environment }: ProgramOptions,
  ): Promise<ChildServer> {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', log], env: environment })
    own(child)
    const line = await new Promise<string>((resolve, reject) => {
      let text = ''
      child.stdout!.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        const ready = /^ready .*$/m.exec(text)
        if (ready !== null) resolve(ready[0])
      })
      child.once('error', reject)
      child.once('exit', (code) =>
        reject(new Error(`${[program, ...args].join(' ')} ended with code ${code} before it was ready`)),
      )
    })
    return new ChildServer(child, line)
  }

  /** The port behind `name=` in the ready line. */
  port(name: string): number {
    const match = new RegExp(`\\b${name}=(?:[^ ]*:)?(\\d+)`).exec(this.readyLine)
    if (match === null) throw new Error(`no ${name} in: ${this.readyLine}`)
    return Number(match[1])
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  /** Seconds of processor time that it has used, user and system; NaN where /proc does not tell. */
  cpuSeconds(): number {
    return cpuSeconds(this.pid)
  }

  /** Resident bytes; NaN where /proc does not tell. */
  residentBytes(): number {
    return residentBytes(this.pid)
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

/** The shell enters the group and then becomes the process, which so never is outside of it. */
function inGroup(processesFile: string, command: readonly string[]): string[] {
  return ['sh', '-c', 'echo $$ > "$0" && exec "$@"', processesFile, ...command]
}
