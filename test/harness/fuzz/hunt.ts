/**
 * Runs a target in a process of its own, which may die, hang or run out of memory, and goes on behind the input that did
 * it. An input follows from the target and its seed alone.
 */

import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../../src/package-root.ts'
import { own } from '../processes/owned-children.ts'
import { makeTemporaryFolder } from '../tidegate-process.ts'
import type { FuzzMessage } from './fuzz-message.ts'

const CHILD = fileURLToPath(new URL('dist/test/fuzz/child.js', packageRoot()))
/** An input that takes longer counts as a hang. */
const HANG_MS = 60_000
const LOOK_MS = 500
/** No decoder needs more for an input of a fuzzer. */
const HEAP_MEGABYTES_MAX = 512

export interface HuntOptions {
  readonly firstSeed: number
  readonly inputs: number
  /** Beside the time that a process takes to start. */
  readonly seconds: number
  /** The hunt ends after so many finds. */
  readonly findsMax: number
  readonly hangMs?: number
}

export interface Find {
  readonly target: string
  readonly seed: number
  readonly broken: string
}

export interface Hunted {
  readonly inputs: number
  readonly finds: readonly Find[]
}

export async function hunt(target: string, options: HuntOptions): Promise<Hunted> {
  const folder = makeTemporaryFolder()
  const lastSeed = options.firstSeed + options.inputs
  const finds: Find[] = []
  let next = options.firstSeed
  let secondsLeft = options.seconds
  try {
    while (next < lastSeed && finds.length < options.findsMax && secondsLeft > 0) {
      const begin = performance.now()
      const life = new ChildLife(target, join(folder, 'seed'), options.hangMs ?? HANG_MS)
      next = await life.run(next, lastSeed - next, secondsLeft, (find) => {
        if (finds.length < options.findsMax) finds.push({ target, ...find })
        return finds.length < options.findsMax
      })
      secondsLeft -= (performance.now() - begin) / 1000
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { inputs: next - options.firstSeed, finds }
}

/** One process, until its work is done or an input has ended it. */
class ChildLife {
  readonly #target: string
  readonly #progressFile: string
  readonly #hangMs: number
  #hung = false

  constructor(target: string, progressFile: string, hangMs: number) {
    this.#target = target
    this.#progressFile = progressFile
    this.#hangMs = hangMs
  }

  /** Returns the seed behind the last input that ran. `onFind` returns whether to go on. */
  run(
    seed: number,
    inputs: number,
    seconds: number,
    onFind: (find: Omit<Find, 'target'>) => boolean,
  ): Promise<number> {
    rmSync(this.#progressFile, { force: true })
    const args = [this.#target, seed, inputs, seconds, this.#progressFile].map(String)
    // Buffers count as free with their collection, however busy the machine is.
    const sweeps = '--no-concurrent-array-buffer-sweeping'
    const execArgv = ['--expose-gc', sweeps, `--max-old-space-size=${HEAP_MEGABYTES_MAX}`]
    const child = fork(CHILD, args, { execArgv, stdio: ['ignore', 'inherit', 'pipe', 'ipc'] })
    own(child)
    const watch = this.#watch(child)
    let errors = ''
    child.stderr!.on('data', (chunk: Buffer) => {
      errors = `${errors}${chunk.toString()}`.slice(-4000)
    })
    let done: number | undefined
    child.on('message', (message: FuzzMessage) => {
      if (message.kind === 'end') done = seed + message.inputs
      else if (!onFind({ seed: message.seed, broken: message.broken })) {
        done = message.seed + 1
        child.kill('SIGKILL')
      }
    })
    return new Promise((resolve, reject) => {
      child.once('close', (code, signal) => {
        clearInterval(watch)
        const killer = this.#present()
        if (done !== undefined) resolve(done)
        else if (killer === undefined) reject(new Error(`${this.#target} does not start: ${errors}`))
        else {
          const how = this.#hung
            ? `takes more than ${this.#hangMs} ms`
            : `ends the process: ${signal ?? code}`
          onFind({ seed: killer, broken: `${how}${this.#hung ? '' : `\n${firstWords(errors)}`}` })
          resolve(killer + 1)
        }
      })
    })
  }

  /** Kills the process where its input has stayed the same for too long. */
  #watch(child: ChildProcess): NodeJS.Timeout {
    let last: number | undefined
    let since = performance.now()
    return setInterval(() => {
      const now = this.#present()
      if (now !== last) since = performance.now()
      last = now
      if (now === undefined || performance.now() - since < this.#hangMs) return
      this.#hung = true
      child.kill('SIGKILL')
    }, LOOK_MS)
  }

  /** The seed of the input that runs; undefined before the first. */
  #present(): number | undefined {
    try {
      const bytes = readFileSync(this.#progressFile)
      return bytes.length === 0 ? undefined : bytes.readDoubleBE(0)
    } catch {
      return undefined
    }
  }
}

function firstWords(text: string): string {
  return text
    .trim()
    .split('\n')
    .filter((line) => /error|fatal|throw/i.test(line))
    .slice(0, 3)
    .join('\n')
}
