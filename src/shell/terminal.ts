/** The shell on a terminal: lines with history and completion. Ctrl-C ends the running command, not the shell. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { completions, type KnownNames } from './completion.ts'
import type { LineSource } from './run-lines.ts'

const HISTORY_LINES = 1000

type CompleterDone = (error: null, result: [string[], string]) => void

export interface TerminalConfig {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  /** The path of the file with the lines of earlier sessions; undefined: no history is kept. */
  readonly historyFile: string | undefined
  readonly names: KnownNames
  /** Ends the running command. */
  readonly interrupt: () => void
}

export class Terminal implements LineSource {
  readonly #config: TerminalConfig
  readonly #reader: Interface
  readonly #history: string[]
  /** Lines that arrived before the shell was ready for them, as when a user pastes several. */
  readonly #waiting: string[] = []
  #ask: ((line: string | undefined) => void) | undefined
  #ended = false

  constructor(config: TerminalConfig) {
    this.#config = config
    this.#history = readHistory(config.historyFile)
    this.#reader = createInterface({
      input: config.input,
      output: config.output,
      terminal: true,
      history: this.#history.toReversed(),
      historySize: HISTORY_LINES,
      completer: (line: string, done: CompleterDone): void => {
        completions(line, config.names).then(
          ({ candidates, begun }) => done(null, [[...candidates], begun]),
          () => done(null, [[], line]),
        )
      },
    })
    this.#reader.on('line', (line) => this.#take(line))
    this.#reader.on('close', () => {
      this.#ended = true
      if (this.#ask !== undefined) config.output.write('\n')
      this.#answer(undefined)
    })
    this.#reader.on('SIGINT', () => {
      // Ends the running command, or clears the typed line.
      if (this.#ask === undefined) config.interrupt()
      else this.#reader.write(null, { ctrl: true, name: 'u' })
    })
  }

  next(prompt: string): Promise<string | undefined> {
    const line = this.#waiting.shift()
    if (line !== undefined) {
      this.#config.output.write(`${prompt}${line}\n`)
      return Promise.resolve(line)
    }
    if (this.#ended) return Promise.resolve(undefined)
    this.#reader.setPrompt(prompt)
    this.#reader.prompt()
    return new Promise((resolve) => {
      this.#ask = resolve
    })
  }

  close(): void {
    this.#reader.close()
    writeHistory(this.#config.historyFile, this.#history.slice(-HISTORY_LINES))
  }

  #take(line: string): void {
    if (line.trim() !== '' && line !== this.#history.at(-1)) this.#history.push(line)
    if (this.#ask === undefined) this.#waiting.push(line)
    else this.#answer(line)
  }

  #answer(line: string | undefined): void {
    const ask = this.#ask
    this.#ask = undefined
    ask?.(line)
  }
}

export function readHistory(path: string | undefined): string[] {
  if (path === undefined || !existsSync(path)) return []
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  } catch {
    return []
  }
}

/** Writes the history. It may contain values, so only the user may read it. Where it cannot be written, the shell works without it. */
export function writeHistory(path: string | undefined, lines: readonly string[]): void {
  if (path === undefined) return
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 })
  } catch {
    // The folder may not be writable, for example.
  }
}
